import { z } from 'zod';
import { type ObjectiveResult, type RunResult } from '#core/result/schema.ts';
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
