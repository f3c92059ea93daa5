import { z } from 'zod';
import { nameSchema } from './text.ts';
import { valueNameSchema } from './journey.ts';

/** Which steps a journey takes, and in which order; docs/journeys.md tells it with examples. */

export const MOST_REPEATS = 1_000;
const MOST_PARTS = 200;
const MOST_CHOICES = 50;
const MOST_ITEMS = 10_000;
/** How deep parts may lie in one another. */
export const MOST_DEPTH = 8;

/** The name of a step, or something that decides about a flow of its own. */
export type FlowPart = string | Repeat | Choose | ForEach;

export interface Repeat {
  /** So many times, or drawn from `from` to `to`, both included. */
  repeat: number | { from: number; to: number };
  flow: FlowPart[];
}

/** One of them is drawn: each time, or by groups of users of which each keeps to its own. */
export interface Choose {
  choose: Choice[];
  /** `user`: the first users take the first choice, those after them the next, in the proportions of the weights. */
  per?: 'user' | undefined;
}

export interface Choice {
  weight: number;
  flow: FlowPart[];
  /** Other weights in the stages that are named. */
  weightIn?: Record<string, number> | undefined;
}

/** Once for each item of a list that was captured with `which: all`. */
export interface ForEach {
  forEach: string;
  as: string;
  /** Items that come after so many are left out. */
  atMost?: number | undefined;
  flow: FlowPart[];
}

type FlowSchema = z.ZodType<FlowPart[], FlowPart[]>;

const repeats = z.int().min(0).max(MOST_REPEATS);
const weight = z.number().min(0).max(1_000_000_000);

/** Made level by level instead of by reference to itself, so that nobody can nest deeper than is read without harm. */
function flowAt(depth: number): FlowSchema {
  const tooDeep = `Parts of a flow may be nested at most ${MOST_DEPTH} levels deep.`;
  if (depth === MOST_DEPTH) return z.array(z.custom<string>((value) => typeof value === 'string', tooDeep)).max(MOST_PARTS);
  const flow = flowAt(depth + 1);
  const choice = z.strictObject({ weight, flow, weightIn: z.record(nameSchema, weight).optional() });
  const part = z.union([
    nameSchema,
    z.strictObject({ repeat: z.union([repeats, z.strictObject({ from: repeats, to: repeats })]), flow }),
    z.strictObject({ choose: z.array(choice).min(1).max(MOST_CHOICES), per: z.literal('user').optional() }),
    z.strictObject({ forEach: valueNameSchema, as: valueNameSchema, atMost: z.int().min(1).max(MOST_ITEMS).optional(), flow }),
  ]);
  return z.array(part).max(MOST_PARTS);
}

export const flowSchema = flowAt(0);
