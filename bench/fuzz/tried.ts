import { z } from 'zod';

const foundSchema = z.strictObject({
  kind: z.enum(['crash', 'broken', 'slow', 'grows', 'large', 'prototype', 'hang', 'died']),
  message: z.string(),
  /** The input after it was minimized. */
  input: z.string(),
  /** Number of the input in the sequence. */
  number: z.int(),
});
export type Finding = z.infer<typeof foundSchema>;

/** The line that a subject's process prints before its first input. */
export const BEGIN_LINE = 'begins\n';

/** The result of one subject. */
export const triedSchema = z.strictObject({
  subject: z.string(),
  inputs: z.int(),
  /** Number of long inputs, as a part of all inputs. Each was read at two lengths. */
  long: z.int(),
  seconds: z.number(),
  /** Number of inputs that were kept because new code ran with them. */
  learned: z.int(),
  slowest: z.strictObject({ msPerKb: z.number(), ms: z.number(), letters: z.int() }),
  /** Maximum number of bytes that were kept per character of an input. */
  memoryRatio: z.number(),
  found: z.array(foundSchema),
  /** How often the process died before its first input. */
  diedAtStart: z.int().default(0),
});
export type SubjectResult = z.infer<typeof triedSchema>;
