import { z } from 'zod';

/** What a test of a path came to. */
export const pathReadingSchema = z.strictObject({
  /** Contents in 10^6 bit/s; null when too little came to tell. */
  megabits: z.number().nullable(),
  /** The line was the limit; else `megabits` is a lower bound. */
  isFull: z.boolean(),
  /** Length of what was measured. */
  seconds: z.number(),
  /** Everything that came, heads of answers not counted. */
  bytes: z.int(),
  /** Those of the answers that came whole; what was cut off at a limit is not among them. */
  answeredBytes: z.int(),
  /** Answers that came whole. */
  answers: z.int(),
  /** What went wrong, in words; null when nothing did. */
  failure: z.string().nullable(),
});
export type PathReading = z.infer<typeof pathReadingSchema>;

/** An interface of a machine. `megabits` is what it calls its speed: null when it does not tell. */
const pathLinkSchema = z.strictObject({ name: z.string(), megabits: z.number().nullable(), isVirtual: z.boolean() });
export type PathLink = z.infer<typeof pathLinkSchema>;

/** A path that was measured, as it is kept until it is measured again, and noted in runs over it. */
export const measuredPathSchema = z.strictObject({
  /** Name of the generator. */
  from: z.string(),
  /** Origin of the target: `https://example.org`. */
  to: z.string(),
  megabits: z.number(),
  isFull: z.boolean(),
  /** By which it goes out; null where that is not known. */
  link: pathLinkSchema.nullable(),
  measuredAt: z.iso.datetime(),
});
export type MeasuredPath = z.infer<typeof measuredPathSchema>;

/** Kind of the event by which a run tells what its paths had been measured at. */
export const PATH_EVENT = 'path';
