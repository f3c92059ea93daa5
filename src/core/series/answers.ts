import type { CriterionResult, RunResult } from '#core/result/schema.ts';
import { formatMs, formatNumber, formatRate, formatShare } from '#core/base/units.ts';
import type { Budget, Smallest } from './result.ts';

export function budgetsOf({ criteria }: Pick<RunResult, 'criteria'>): Budget[] {
  const hasStages = new Set(criteria.map(({ stage }) => stage)).size > 1;
  return criteria.map(({ text, stage, outcome, measured, limit, unit }) => ({
    text: hasStages ? `${text} (${stage})` : text,
    outcome,
    measured,
    limit,
    unit,
  }));
}

/** Returns the used share of a limit: 1 at the limit, above 1 beyond it, Infinity for “never”; null if not measured. */
export function usedOf({ measured, limit, unit }: Pick<Budget, 'measured' | 'limit' | 'unit'>): number | null {
  if (measured === null) return null;
  if (measured === 'never') return Number.POSITIVE_INFINITY;
  const isLeast = unit === 'perSecond' || unit === 'apdex';
  const [part, whole] = isLeast ? [limit, measured] : [measured, limit];
  if (whole === 0) return part === 0 ? 0 : Number.POSITIVE_INFINITY;
  return part / whole;
}

const FORMATS: Readonly<Record<CriterionResult['unit'], (value: number) => string>> = {
  ms: formatMs,
  share: formatShare,
  perSecond: formatRate,
  apdex: formatNumber,
};

/** Formats a figure in the unit of its limit: "896 ms", "never". */
export function budgetFigure(value: Budget['measured'], unit: Budget['unit']): string {
  if (value === null || value === 'never') return formatMs(value);
  return FORMATS[unit](value);
}

/** Returns whether criteria distinguish the machines. Without criteria they do not. */
export function isJudged({ machines }: Pick<Smallest, 'machines'>): boolean {
  return machines.some(({ judgement, closest }) => closest !== null || judgement === 'passed' || judgement === 'failed');
}
