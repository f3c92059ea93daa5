import { z } from 'zod';
import { generatorNamesSchema } from './hosts.ts';
import { commandSchema, type PlanCommand } from './populate.ts';
import { planSchema, slotMsSchema, targetSchema } from './plan.ts';

/**
 * Maximum number of runs in a series, with repeats. A larger table is unreadable. docs/series.md describes each field of the block
 * `series:`.
 */
export const MAX_CELL_RUNS = 500;
export const MAX_REPEATS = 50;

/** Load fields that a series can vary: amounts, a duration, and, for a plan with bells, the number of people. */
export const LEVEL_FIELDS = ['connections', 'users', 'perSecond', 'requests', 'seconds', 'people'] as const;
export type LevelField = (typeof LEVEL_FIELDS)[number];

export type CellCommand = PlanCommand;

const commandsSchema = z.array(commandSchema).max(10).default([]);

/** The environment of a cell, with the factors that distinguish it. */
export const variantSchema = z.strictObject({
  name: z.string().trim().min(1).max(60),
  /** Factors such as RAM, cores, index or cache, shown as columns of the table. */
  factors: z.record(z.string().trim().min(1).max(40), z.union([z.string().max(80), z.number(), z.boolean()])).default({}),
  /** Cost of the machine in any common unit, by which machines are ordered if factors cannot do that. */
  cost: z.number().min(0).max(1e12).optional(),
  /** Targets that replace the targets of the plan. */
  targets: z.array(targetSchema).min(1).max(64).optional(),
  /** Load generators that replace the load generators of the series. */
  on: generatorNamesSchema.optional(),
  /** Commands that run after the commands `before` of the series, before the cells of this variant. */
  before: commandsSchema,
  /** Commands that run before the commands `after` of the series, after the cells of this variant. */
  after: commandsSchema,
});
export type Variant = z.output<typeof variantSchema>;

export const seriesSchema = z.strictObject({
  /** Variants. Default: one variant with the plan's targets. */
  variants: z.array(variantSchema).max(50).default([]),
  /** Factors that state the size of a machine. Default: common names such as cores and memory. */
  machine: z.array(z.string().trim().min(1).max(40)).min(1).max(20).optional(),
  /** Values of one or two load fields. One field gives cycles, two give a matrix. */
  levels: z.partialRecord(z.enum(LEVEL_FIELDS), z.array(z.number().positive().max(1_000_000_000)).min(1).max(50)).default({}),
  /** Whether both variants take turns within one run, in slots of `slotMs`. */
  duet: z.boolean().default(false),
  slotMs: slotMsSchema,
  repeats: z.int().min(1).max(MAX_REPEATS).default(1),
  /** Load generators: hosts, and `here` for this computer (default). */
  on: generatorNamesSchema.optional(),
  /**
   * Whether each round runs all variants once per level, starting with another variant each time. If false, the repeats of a cell follow
   * each other.
   */
  interleaved: z.boolean().default(true),
  /** Idle time after each cell, in seconds. */
  coolDownSeconds: z.number().min(0).max(3_600).default(2),
  /** Maximum time, before the first cell, for connections to the target to return to their usual number, in seconds. */
  baselineSeconds: z.number().min(0).max(3_600).default(60),
  /** Maximum time for a target to accept a connection before a cell, in seconds. */
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
