import { z } from 'zod';
import { nameSchema } from './url.ts';
import { valueNameSchema } from './journey.ts';

/** Maximum number of repetitions of a part. For examples of flows, see docs/journeys.md. */

export const MAX_FLOW_REPEATS = 1_000;
const MAX_PARTS = 200;
const MAX_CHOICES = 50;
const MAX_ITEMS = 10_000;
/** Maximum nesting depth of parts. */
export const MAX_FLOW_DEPTH = 8;

/** The name of a step, or a control structure with its own flow. */
export type FlowPart = string | Repeat | Choose | ForEach;

export interface Repeat {
  /** Number of repetitions, fixed or drawn from `from` to `to` inclusive. */
  repeat: number | { from: number; to: number };
  flow: FlowPart[];
}

/** Draws one choice, either each time, or fixed for each of several groups of users. */
export interface Choose {
  choose: Choice[];
  /** `user`: users are assigned to choices in order, in proportion to the weights. */
  per?: 'user' | undefined;
}

export interface Choice {
  weight: number;
  flow: FlowPart[];
  weightIn?: Record<string, number> | undefined;
}

/** Repeats its flow for each item of a list captured with `which: all`. */
export interface ForEach {
  forEach: string;
  as: string;
  /** Maximum number of items; further ones are skipped. */
  atMost?: number | undefined;
  flow: FlowPart[];
}

type FlowSchema = z.ZodType<FlowPart[], FlowPart[]>;

const repeats = z.int().min(0).max(MAX_FLOW_REPEATS);
const weight = z.number().min(0).max(1_000_000_000);

/** Builds the schema level by level instead of recursively, which limits the nesting depth. */
function flowSchemaAt(depth: number): FlowSchema {
  const tooDeep = `Parts of a flow may be nested at most ${MAX_FLOW_DEPTH} levels deep.`;
  if (depth === MAX_FLOW_DEPTH) return z.array(z.custom<string>((value) => typeof value === 'string', tooDeep)).max(MAX_PARTS);
  const flow = flowSchemaAt(depth + 1);
  const choice = z.strictObject({ weight, flow, weightIn: z.record(nameSchema, weight).optional() });
  const part = z.union([
    nameSchema,
    z.strictObject({ repeat: z.union([repeats, z.strictObject({ from: repeats, to: repeats })]), flow }),
    z.strictObject({ choose: z.array(choice).min(1).max(MAX_CHOICES), per: z.literal('user').optional() }),
    z.strictObject({ forEach: valueNameSchema, as: valueNameSchema, atMost: z.int().min(1).max(MAX_ITEMS).optional(), flow }),
  ]);
  return z.array(part).max(MAX_PARTS);
}

export const flowSchema = flowSchemaAt(0);
