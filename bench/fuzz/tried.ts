import { z } from 'zod';

const foundSchema = z.strictObject({
  kind: z.enum(['crash', 'broken', 'slow', 'grows', 'large', 'prototype', 'hang', 'died']),
  message: z.string(),
  /** The minimized input. */
  input: z.string(),
  /** Number of the input. */
  number: z.int(),
});
export type Finding = z.infer<typeof foundSchema>;

/** The line that the process of a subject prints before its first input. */
export const BEGIN_LINE = 'begins\n';

/** The result of one subject. */
export const triedSchema = z.strictObject({
  subject: z.string(),
  inputs: z.int(),
  /** The number of long inputs among all inputs. They were read at two lengths. */
  long: z.int(),
  seconds: z.number(),
  /** Number of inputs that were kept because they reached new code. */
  learned: z.int(),
  slowest: z.strictObject({ msPerKb: z.number(), ms: z.number(), letters: z.int() }),
  /** Maximum of kept bytes per character of an input. */
  memoryRatio: z.number(),
  found: z.array(foundSchema),
  /** Number of deaths of the process before its first input. */
  diedAtStart: z.int().default(0),
});
export type SubjectResult = z.infer<typeof triedSchema>;
