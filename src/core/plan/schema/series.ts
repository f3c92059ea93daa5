import { z } from 'zod';
import { generatorNamesSchema } from './hosts.ts';
import { commandSchema, type PlanCommand } from './populate.ts';
import { planSchema, targetSchema } from './plan.ts';

/**
 * A series: repeated runs of one plan under named conditions, for one table. In a file, the block
 * `series:` beside the plan's own fields; for each field see docs/series.md.
 */

/** Maximum number of runs of a series, with repeats. A larger table is unreadable. */
export const MAX_CELL_RUNS = 500;
export const MAX_REPEATS = 50;

/** Load fields that a series can vary: amounts, a duration, and the number of people of a plan with bells. */
export const LEVEL_FIELDS = ['connections', 'users', 'perSecond', 'requests', 'seconds', 'people'] as const;
export type LevelField = (typeof LEVEL_FIELDS)[number];

export type CellCommand = PlanCommand;

const commandsSchema = z.array(commandSchema).max(10).default([]);

/** The environment of a cell, with distinguishing factors. */
export const variantSchema = z.strictObject({
  name: z.string().trim().min(1).max(60),
  /** RAM, cores, index, cache …: shown as columns of the table. */
  factors: z.record(z.string().trim().min(1).max(40), z.union([z.string().max(80), z.number(), z.boolean()])).default({}),
  /** Cost of the machine in any common unit, to order machines if factors cannot. */
  cost: z.number().min(0).max(1e12).optional(),
  /** Overrides the plan's targets. */
  targets: z.array(targetSchema).min(1).max(64).optional(),
  /** Overrides the load generators of the series. */
  on: generatorNamesSchema.optional(),
  /** Run after those of the series, before the cells of this variant. */
  before: commandsSchema,
  /** Run before those of the series, after the cells of this variant. */
  after: commandsSchema,
});
export type Variant = z.output<typeof variantSchema>;

export const seriesSchema = z.strictObject({
  /** Default: one variant with the plan's targets. */
  variants: z.array(variantSchema).max(50).default([]),
  /** Factors for the size of a machine; default: common names such as cores and memory. */
  machine: z.array(z.string().trim().min(1).max(40)).min(1).max(20).optional(),
  /** One field gives cycles, two give a matrix. */
  levels: z.partialRecord(z.enum(LEVEL_FIELDS), z.array(z.number().positive().max(1_000_000_000)).min(1).max(50)).default({}),
  repeats: z.int().min(1).max(MAX_REPEATS).default(1),
  /** Load generators: hosts, and `here` for this computer (default). */
  on: generatorNamesSchema.optional(),
  /** Whether each round runs all variants once per level, starting with another variant; otherwise repeats of a cell are consecutive. */
  interleaved: z.boolean().default(true),
  /** Idle time after each cell. */
  coolDownSeconds: z.number().min(0).max(3_600).default(2),
  /** Time limit for connections to the target to return to their number before the first cell. */
  baselineSeconds: z.number().min(0).max(3_600).default(60),
  /** Time limit for a target to accept a connection before a cell. */
  readySeconds: z.number().min(0).max(3_600).default(30),
  before: commandsSchema,
  after: commandsSchema,
});
export type Series = z.output<typeof seriesSchema>;

/** A plan with its series, with all defaults. */
const wholeDocumentSchema = z.strictObject({ plan: planSchema, series: seriesSchema });
export interface SeriesDocument extends z.output<typeof wholeDocumentSchema> {}
export interface SeriesDocumentInput extends z.input<typeof wholeDocumentSchema> {}
export const seriesDocumentSchema: z.ZodType<SeriesDocument, SeriesDocumentInput> = wholeDocumentSchema;

/** Returns every command of the series once, in document order, for consent. */
export function listCommands({ series }: SeriesDocument): string[] {
  const all = [series, ...series.variants].flatMap(({ before, after }) => [...before, ...after]);
  return [...new Set(all.map(({ run }) => run))];
}
