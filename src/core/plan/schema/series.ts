import { z } from 'zod';
import { placesSchema } from './hosts.ts';
import { commandSchema, type PlanCommand } from './populate.ts';
import { planSchema, targetSchema } from './plan.ts';

/**
 * A series: one plan run again and again under named conditions, so that the runs can stand in one table. In a file it is the block
 * `series:` beside the plan's own fields; docs/series.md tells each field to its reader.
 */

/** Single runs of a series, repeats included: beyond that a table is no longer read. */
export const MAX_CELL_RUNS = 500;
export const MAX_REPEATS = 50;

/** Numbers of the load that a series can go through. The first three are how much at the same time, the other two how long. */
export const LEVEL_FIELDS = ['connections', 'users', 'perSecond', 'requests', 'seconds'] as const;
export type LevelField = (typeof LEVEL_FIELDS)[number];

export type CellCommand = PlanCommand;

const commandsSchema = z.array(commandSchema).max(10).default([]);

/** What a cell is run against, with the facts that tell it from the others. */
export const variantSchema = z.strictObject({
  name: z.string().trim().min(1).max(60),
  /** RAM, cores, index, cache …: for the reader, in columns of the table. */
  factors: z.record(z.string().trim().min(1).max(40), z.union([z.string().max(80), z.number(), z.boolean()])).default({}),
  /** What such a machine costs, in whatever is the same for all of them: it says which is the smaller one where factors do not. */
  cost: z.number().min(0).max(1e12).optional(),
  /** Instead of the plan's. */
  targets: z.array(targetSchema).min(1).max(64).optional(),
  /** Where its load is made, instead of where that of the series is. */
  on: placesSchema.optional(),
  /** After those of the series, before the cells of this variant. */
  before: commandsSchema,
  /** Before those of the series, after the cells of this variant. */
  after: commandsSchema,
});
export type Variant = z.output<typeof variantSchema>;

export const seriesSchema = z.strictObject({
  /** Left out, the plan's own targets are the only variant. */
  variants: z.array(variantSchema).max(50).default([]),
  /** The factors that say how large a machine is; left out, those called as machines usually are: cores, memory, … */
  machine: z.array(z.string().trim().min(1).max(40)).min(1).max(20).optional(),
  /** One field makes cycles, two make a matrix. */
  levels: z.partialRecord(z.enum(LEVEL_FIELDS), z.array(z.number().positive().max(1_000_000_000)).min(1).max(50)).default({}),
  repeats: z.int().min(1).max(MAX_REPEATS).default(1),
  /** Where its loads are made: hosts, and `here` for this computer; left out, this computer. */
  on: placesSchema.optional(),
  /** All variants once at each level, then again, starting with another one; otherwise all repeats of a cell follow each other. */
  interleaved: z.boolean().default(true),
  /** Without any load after each cell. */
  coolDownSeconds: z.number().min(0).max(3_600).default(2),
  /** How long connections to the target may take to become as few as they were before the first cell. */
  baselineSeconds: z.number().min(0).max(3_600).default(60),
  /** How long a target may take to accept a connection before a cell. */
  readySeconds: z.number().min(0).max(3_600).default(30),
  /** Commands before each cell. */
  before: commandsSchema,
  /** Commands after each cell. */
  after: commandsSchema,
});
export type Series = z.output<typeof seriesSchema>;

/** A plan with its series, every default filled in. */
const wholeDocumentSchema = z.strictObject({ plan: planSchema, series: seriesSchema });
export interface SeriesDocument extends z.output<typeof wholeDocumentSchema> {}
export interface SeriesDocumentInput extends z.input<typeof wholeDocumentSchema> {}
export const seriesDocumentSchema: z.ZodType<SeriesDocument, SeriesDocumentInput> = wholeDocumentSchema;

/** Every command of the series, each line once, in the order of the document: what a person must have seen before any of it runs. */
export function commandsOf({ series }: SeriesDocument): string[] {
  const all = [series, ...series.variants].flatMap(({ before, after }) => [...before, ...after]);
  return [...new Set(all.map(({ run }) => run))];
}
