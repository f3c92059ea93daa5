import { z } from 'zod';
import { formatPercent } from '#core/base/units.ts';
import { shareBounds } from '#core/statistics/bounds.ts';
import { type ChangePoint, findChangePoints } from './changePoints.ts';

/** Significance of changes of each measure. Their sum bounds the share of quiet histories with an alarm: 5 %. */
export const P95_SIGNIFICANCE = 0.035;
export const THROUGHPUT_SIGNIFICANCE = 0.015;

/** Maximum number of runs in a history. Older runs are dropped. */
export const MAX_HISTORY_RUNS = 200;

const pastRunSchema = z.strictObject({
  id: z.string(),
  startedAt: z.iso.datetime(),
  /** 95th percentile in milliseconds; null if unknown, or if too many requests failed. */
  p95Ms: z.number().nullable(),
  completedPerSecond: z.number().nullable(),
  /** Error rate with its 95 % interval; null if unknown. */
  errors: z.strictObject({ share: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** A person's remark about the run, such as a deployment. */
  note: z.string(),
});
export type PastRun = z.infer<typeof pastRunSchema>;

/** Confidence of each bound. Both together make an interval of 95 %. */
const BOUND_CONFIDENCE = 0.975;

/**
 * Returns the error rate, 0 to 1, with the bounds of Clopper and Pearson (1934) for failures that are independent; null if nothing was due.
 */
export function measureErrors(failed: number, due: number): PastRun['errors'] {
  return due === 0 ? null : { share: failed / due, ...shareBounds(failed, due, BOUND_CONFIDENCE) };
}

const changeSchema = z.strictObject({
  measure: z.enum(['p95', 'throughput']),
  /** Id of the first run after the change. */
  runId: z.string(),
  /** Ratio of the level after the change to the level before it, with its 95 % interval. */
  ratio: z.number(),
  low: z.number(),
  high: z.number(),
  sentence: z.string(),
});
type Change = z.infer<typeof changeSchema>;

/** Runs of one test over time, oldest first, and the changes among them. */
export const runHistorySchema = z.strictObject({ runs: z.array(pastRunSchema), changes: z.array(changeSchema) });
export type RunHistory = z.infer<typeof runHistorySchema>;

/** Finds the changes in the runs of one test, which must be in order of time. Runs that lack a figure are left out for it. */
export function buildRunHistory(runs: readonly PastRun[]): RunHistory {
  const kept = runs.slice(-MAX_HISTORY_RUNS);
  return {
    runs: [...kept],
    changes: [
      ...findChanges(kept, 'p95', ({ p95Ms }) => p95Ms, P95_SIGNIFICANCE),
      ...findChanges(kept, 'throughput', ({ completedPerSecond }) => completedPerSecond, THROUGHPUT_SIGNIFICANCE),
    ],
  };
}

function findChanges(
  runs: readonly PastRun[],
  measure: Change['measure'],
  readFigure: (run: PastRun) => number | null,
  significance: number,
): Change[] {
  const measured = runs.flatMap((run) => {
    const figure = readFigure(run);
    return figure === null || figure <= 0 ? [] : [{ run, figure }];
  });
  const figures = measured.map(({ figure }) => figure);
  return findChangePoints(figures, significance).flatMap(({ index, ...change }) => {
    const first = measured[index]?.run;
    return first === undefined ? [] : [{ measure, runId: first.id, ...change, sentence: describeChange(measure, change, first) }];
  });
}

/** Describes a change: "p95 12 % higher (8 % to 17 %) since 2026-11-24, first in run 20261124-030000-abc123." */
function describeChange(measure: Change['measure'], { ratio, low, high }: Omit<ChangePoint, 'index'>, { id, startedAt }: PastRun): string {
  const isHigher = ratio > 1;
  const [least, most] = isHigher ? [low - 1, high - 1] : [1 - high, 1 - low];
  const amount = `${formatPercent(Math.abs(ratio - 1), 2)} ${isHigher ? 'higher' : 'lower'}`;
  const interval = `${formatPercent(Math.max(0, least), 2)} to ${formatPercent(most, 2)}`;
  return `${measure === 'p95' ? 'p95' : 'Throughput'} ${amount} (${interval}) since ${startedAt.slice(0, 10)}, first in run ${id}.`;
}
