import { z } from 'zod';
import type { ObjectiveResult, RunResult } from '#core/result/schema.ts';
import { timeSchema } from '#core/statistics/latencySummary.ts';
import { formatMs, formatNumber, formatRate, formatShare } from '#core/base/units.ts';

/** A limit of the plan, as a run of a cell was judged by it. */
export const budgetSchema = z.strictObject({
  /** In words, with its stage where there are several. */
  text: z.string(),
  outcome: z.enum(['holds', 'breaks', 'unknown']),
  measured: timeSchema,
  limit: z.number(),
  unit: z.enum(['ms', 'share', 'perSecond', 'apdex']),
});
export type Budget = z.infer<typeof budgetSchema>;

export function budgetsOf({ objectives }: Pick<RunResult, 'objectives'>): Budget[] {
  const hasStages = new Set(objectives.map(({ stage }) => stage)).size > 1;
  return objectives.map(({ text, stage, outcome, measured, limit, unit }) => ({
    text: hasStages ? `${text} (${stage})` : text,
    outcome,
    measured,
    limit,
    unit,
  }));
}

/** How much of a limit is used: 1 at the limit, above 1 beyond it, Infinity for “never”; null where it was not measured. */
export function usedOf({ measured, limit, unit }: Pick<Budget, 'measured' | 'limit' | 'unit'>): number | null {
  if (measured === null) return null;
  if (measured === 'never') return Number.POSITIVE_INFINITY;
  const isLeast = unit === 'perSecond' || unit === 'apdex';
  const [part, whole] = isLeast ? [limit, measured] : [measured, limit];
  if (whole === 0) return part === 0 ? 0 : Number.POSITIVE_INFINITY;
  return part / whole;
}

const FORMATS: Readonly<Record<ObjectiveResult['unit'], (value: number) => string>> = {
  ms: formatMs,
  share: formatShare,
  perSecond: formatRate,
  apdex: formatNumber,
};

/** A figure in the unit of its limit: "896 ms", "never". */
export function budgetFigure(value: Budget['measured'], unit: Budget['unit']): string {
  if (value === null || value === 'never') return formatMs(value);
  return FORMATS[unit](value);
}

/** `withinNoise`: some of its runs kept every limit and others missed one. `misses`: some or all missed one, and none kept all. `unclear`: none missed a limit, and of some it is not known, for too few requests were made to tell. */
export const MACHINE_JUDGEMENTS = ['meets', 'misses', 'withinNoise', 'unclear', 'notMeasured'] as const;

/** Which of several machines is the smallest that keeps every limit of the plan. */
export const smallestSchema = z.strictObject({
  /** What is alike for these machines and differs elsewhere in the series, "10 users, cache on"; '' where nothing does. */
  condition: z.string(),
  /** From small to large. */
  machines: z.array(
    z.strictObject({
      cell: z.string(),
      name: z.string(),
      judgement: z.enum(MACHINE_JUDGEMENTS),
      /** Runs that were judged, and those of them that kept every limit. */
      runs: z.int(),
      kept: z.int(),
      /** The limit of which most is used, in the run in the middle; null where none was measured. */
      closest: budgetSchema.omit({ outcome: true }).nullable(),
    }),
  ),
  /** Cells of the machines that keep every limit and have none below them that does; several where it cannot be said which is smaller. */
  smallest: z.array(z.string()),
  text: z.string(),
});
export type Smallest = z.infer<typeof smallestSchema>;

/** Whether limits tell the machines apart at all: nothing does where the plan sets none. */
export function isJudged({ machines }: Pick<Smallest, 'machines'>): boolean {
  return machines.some(({ judgement, closest }) => closest !== null || judgement === 'meets' || judgement === 'misses');
}

/** A straight line of the time through amounts that were varied. Times are in ms, intervals at 95 % for all factors together. */
export const fitSchema = z.strictObject({
  /** As of {@link smallestSchema}. */
  condition: z.string(),
  factors: z.array(
    z.strictObject({
      name: z.string(),
      /** What its cost is told for: "1,000 rows". */
      each: z.string(),
      /** Of that much: the time it takes, and the ends of its interval. */
      ms: z.number(),
      low: z.number(),
      high: z.number(),
      /** Whether the interval leaves out 0. */
      matters: z.boolean(),
    }),
  ),
  /** What is left where all of them are none; null where no line is told. */
  base: z.strictObject({ ms: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** The measured time of each cell, and that of the line. */
  cells: z.array(z.strictObject({ cell: z.string(), measuredMs: z.number(), lineMs: z.number().nullable() })),
  /** How far the line is from the cell that it misses most, as a part of the line's time. */
  worstMiss: z.number().nullable(),
  /** Why no line is told, in a sentence; null where one is. */
  refused: z.string().nullable(),
  text: z.string(),
});
export type Fit = z.infer<typeof fitSchema>;
