import { z } from 'zod';
import type { Plan } from '#core/plan/schema/plan.ts';

/** What a test of a path costs at most: it ends with whichever comes first. Said before it is made, because it is traffic on somebody's server. */
export const PATH_LIMITS = {
  seconds: 2,
  bytes: 8_000_000,
  connections: 8,
  answers: 400,
} as const;

/** Beyond this, 8 MB pass in less than a tenth of a second and say no more than that there is room. */
export const MOST_HTTP_MEGABITS = 1_000;
/** SSH encrypts on one core at each end: beyond this it is SSH that is measured. */
export const MOST_SSH_MEGABITS = 300;

/**
 * What is asked for to measure the path to the first target of a plan: the address of its first step that only reads and whose path holds no value that has yet
 * to be made up; else the target's own. null where the target is behind a Unix socket: there is no path.
 */
export function pathUrl({ targets, journey, connections }: Pick<Plan, 'targets' | 'journey' | 'connections'>): string | null {
  const [target] = targets;
  if (target === undefined || connections.socketPath !== undefined) return null;
  for (const { method, path, query } of journey) {
    const values = `${path}${JSON.stringify(query ?? {})}`;
    if (method !== 'GET' || values.includes('{{') || !URL.canParse(path, target.url)) continue;
    const url = new URL(path, target.url);
    if (url.origin !== new URL(target.url).origin) continue;
    const fields = Object.entries(query ?? {}).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    return fields.length === 0 ? url.href : `${url.href}${url.search === '' ? '?' : '&'}${fields.join('&')}`;
  }
  return target.url;
}

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
