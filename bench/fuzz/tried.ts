import { z } from 'zod';

const foundSchema = z.strictObject({
  kind: z.enum(['crash', 'broken', 'slow', 'grows', 'large', 'prototype', 'hang', 'died']),
  message: z.string(),
  /** As short as it could be made. */
  input: z.string(),
  /** Which of the inputs it was. */
  number: z.int(),
});
export type Found = z.infer<typeof foundSchema>;

/** What the process of a subject writes before its first input. */
export const BEGINS = 'begins\n';

/** What came of one subject. */
export const triedSchema = z.strictObject({
  subject: z.string(),
  inputs: z.int(),
  /** Of them those that were long, and read at two lengths. */
  long: z.int(),
  seconds: z.number(),
  /** Inputs that were kept because they reached something new. */
  learned: z.int(),
  slowest: z.strictObject({ msPerKb: z.number(), ms: z.number(), letters: z.int() }),
  /** The most that was kept of an input, in bytes for each of its letters. */
  memoryRatio: z.number(),
  found: z.array(foundSchema),
  /** How often its process died before the first input, and was started again. */
  diedAtStart: z.int().default(0),
});
export type Tried = z.infer<typeof triedSchema>;
