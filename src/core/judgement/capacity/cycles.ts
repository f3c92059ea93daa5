import { answeredRequests, wantedRequests } from '#core/measurement/requestOutcomes.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';

/** A counted stage of a run with a number of users or connections, as a row of the table of cycles. */
export interface Cycle {
  readonly name: string;
  readonly at: number;
  /** Pages if whole pages were fetched, else requests. */
  readonly counted: 'pages' | 'requests';
  /** Ended ones, successful ones and failed ones. */
  readonly total: number;
  readonly good: number;
  readonly failed: number;
  /** Successful ones per second. */
  readonly perSecond: number | null;
  readonly times: {
    readonly min: TimeMs;
    readonly mean: TimeMs;
    readonly p50: TimeMs;
    readonly p90: TimeMs;
    readonly p95: TimeMs;
    readonly max: TimeMs;
  };
  /** Apdex of whole pages; null if none were fetched. */
  readonly apdex: number | null;
  /** Apdex of the requests that belong to the pages, which some tools report as page Apdex. */
  readonly requestApdex: number | null;
  /** Whether a criterion failed. */
  readonly hasFailed: boolean;
}

/** Apdex from which the specification rates it as good. */
const MIN_GOOD_APDEX = 0.85;

export function cyclesOf({ stages, pages, criteria }: Pick<RunResult, 'stages' | 'pages' | 'criteria'>): Cycle[] {
  return stages.flatMap((stage, index): Cycle[] => {
    const { name, counted, level, requests, rates, latency } = stage;
    if (!counted || level.unit === 'arrivalsPerSecond' || level.from !== level.to) return [];
    const hasFailed = criteria.some((one) => one.stage === name && one.outcome === 'failed' && one.criterion.kind !== 'throughput');
    const figures = pages?.stages[index]?.figures;
    if (figures !== undefined) {
      const { min, mean, p50, p90, p95, max } = figures.times;
      return [
        {
          name,
          at: level.to,
          counted: 'pages',
          total: figures.complete + figures.incomplete,
          good: figures.complete,
          failed: figures.incomplete,
          perSecond: figures.completePerSecond,
          times: { min, mean, p50, p90, p95, max },
          apdex: figures.pageApdex.value,
          requestApdex: figures.requestApdex.value,
          hasFailed,
        },
      ];
    }
    const answered = answeredRequests(requests);
    const { min, mean, p50, p90, p95, max } = latency.response;
    return [
      {
        name,
        at: level.to,
        counted: 'requests',
        total: requests.sent,
        good: requests.ok,
        failed: wantedRequests(requests) - requests.ok,
        perSecond: rates.completedPerSecond === null || answered === 0 ? null : (rates.completedPerSecond * requests.ok) / answered,
        times: { min, mean, p50, p90, p95, max },
        apdex: null,
        requestApdex: null,
        hasFailed,
      },
    ];
  });
}

/**
 * Returns the best cycle: the highest rate × Apdex of those with a good Apdex and no failed criterion; without any Apdex, the highest rate. null if no cycle
 * qualifies.
 */
export function bestCycle(cycles: readonly Cycle[]): Cycle | null {
  const scored = cycles.flatMap((cycle) => {
    const { perSecond, apdex, hasFailed } = cycle;
    if (perSecond === null || perSecond === 0 || hasFailed || (apdex !== null && apdex < MIN_GOOD_APDEX)) return [];
    return [{ cycle, score: perSecond * (apdex ?? 1) }];
  });
  return scored.toSorted((one, other) => other.score - one.score)[0]?.cycle ?? null;
}

/** Extrapolates a rate to an hour: 10.489 per second × 3,600 = 37,760. */
export function perHour(perSecond: number): number {
  return Math.round(perSecond * 3_600);
}
