import { capitalize } from '#core/base/text.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatShare } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { formatElapsed } from '../charts/units.ts';
import { type Block, type Cell, column, type ColumnOf, numbers, type Passage, table, text } from './model.ts';
import { NO_FIGURE_TEXTS, percentileText, TITLES } from './words.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

const OUTCOME_CELLS: Readonly<Record<CriterionResult['outcome'], Cell>> = {
  passed: { text: 'Passed', mark: 'passed' },
  failed: { text: 'Failed', mark: 'failed' },
  unknown: { text: 'Inconclusive', mark: 'inconclusive' },
};

/** Returns the reason why no criterion was judged. */
export function nothingJudged({ plan }: Pick<RunResult, 'plan'>): string {
  return listCriteria(plan).length === 0 ? NO_FIGURE_TEXTS.criteria : 'The run ended before any criterion could be judged.';
}

/** Returns a table of all criteria with measured values and confidence bounds. */
export function criteriaBlocks(result: Pick<RunResult, 'criteria' | 'plan'>): Passage[] {
  const { criteria } = result;
  if (criteria.length === 0) return text(nothingJudged(result));
  const [found] = criterionTable(TITLES.eachLimit, criteria);
  return found === undefined ? [] : [{ ...found, note: CRITERIA_NOTE }];
}

const CRITERIA_NOTE =
  'Share over: one-sided 95 % bounds of the true share over the limit (exact binomial). A criterion passes when the upper bound is allowed, and fails when the lower bound is not; otherwise it is inconclusive. Where none or all were over, no bound is given: so many seconds cannot show it. From: when it first failed (minutes:seconds of the run).';

const MIN_SHARE_BOUND = 1e-6;

/** Returns a table of criteria without the columns that are always empty. */
export function criterionTable(title: string, criteria: readonly CriterionResult[]) {
  const columns: readonly ColumnOf<CriterionResult>[] = [
    column('Criterion', (one) => ({ text: capitalize(one.text), about: one.reason })),
    column('Outcome', ({ outcome }) => OUTCOME_CELLS[outcome]),
    column('Where', ({ stage, step }) => (step === null ? stage : `${stage}, ${step}`)),
    numbers('Measured', formatMeasured),
    numbers('Counted', ({ counted }) => (counted === null ? '' : formatCount(counted))),
    numbers('Over', ({ over }) => (over === null ? '' : formatCount(over))),
    numbers(
      'Share over',
      ({ shareLow, shareHigh }) =>
        shareLow === null || shareHigh === null ? '' : `${formatPercent(shareLowerBound(shareLow))} to ${formatPercent(shareHigh)}`,
      { explanation: 'One-sided 95 % bounds of the true share over the limit (exact binomial).' },
    ),
    numbers('From', ({ fromSecond }) => (fromSecond === null ? '' : formatElapsed(fromSecond))),
  ];
  // If all texts differ, they already name the stage and the step.
  const isNamed = criteria.length > 1 && new Set(criteria.map(({ text }) => text)).size === criteria.length;
  return table(
    title,
    criteria,
    columns.filter(({ name, cell }) => !(isNamed && name === 'Where') && criteria.some((one) => cell(one) !== '')),
  );
}

/** Returns the lower bound of a share. A negligible one is rounded down to 0, which is still a lower bound. */
function shareLowerBound(share: number): number {
  return share < MIN_SHARE_BOUND ? 0 : share;
}

export function formatMeasured({ criterion, measured, unit }: CriterionResult): string {
  if (measured === null || measured === 'never')
    return percentileText(measured, criterion.kind === 'responseTime' ? criterion.percentile : 100);
  switch (unit) {
    case 'ms':
      return formatMs(measured);
    case 'share':
      return formatShare(measured);
    case 'perSecond':
      return formatRate(measured);
    case 'apdex':
      return measured.toFixed(2);
    default:
      return unit satisfies never;
  }
}

/** Returns the findings with their figures. */
export function findingBlocks({ findings }: Pick<RunResult, 'findings'>): Block[] {
  if (findings.length === 0) return text(NO_FIGURE_TEXTS.findings);
  return findings.map((finding, index): Block => ({ kind: 'finding', number: index + 1, finding }));
}
