import { z } from 'zod';

const foundSchema = z.strictObject({
  kind: z.enum(['crash', 'broken', 'slow', 'grows', 'large', 'prototype', 'hang', 'died']),
  message: z.string(),
  /** Minimized. */
  input: z.string(),
  /** Number of the input. */
  number: z.int(),
});
export type Finding = z.infer<typeof foundSchema>;

/** Printed by the process of a subject before its first input. */
export const BEGIN_LINE = 'begins\n';

/** The result of one subject. */
export const triedSchema = z.strictObject({
  subject: z.string(),
  inputs: z.int(),
  /** Of these, the number of long inputs, which were read at two lengths. */
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
