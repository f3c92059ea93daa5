import { answeredRequests, wantedRequests } from '#core/measurement/ledger.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';

/** A counted stage of a run with a number of users or connections, as tables of cycles show it. */
export interface Cycle {
  readonly name: string;
  readonly at: number;
  /** Pages where whole pages were fetched, else requests. */
  readonly counted: 'pages' | 'requests';
  /** That ended, good or not; those that were good; those that were not. */
  readonly total: number;
  readonly good: number;
  readonly failed: number;
  /** Good ones a second. */
  readonly perSecond: number | null;
  readonly times: {
    readonly min: TimeMs;
    readonly mean: TimeMs;
    readonly p50: TimeMs;
    readonly p90: TimeMs;
    readonly p95: TimeMs;
    readonly max: TimeMs;
  };
  /** Of whole pages; null where none were fetched. */
  readonly apdex: number | null;
  /** Of all the requests that the pages are made of, which some tools print under the name of pages. */
  readonly requestApdex: number | null;
  /** Whether it missed an objective. */
  readonly broke: boolean;
}

/** From here on the specification of Apdex calls it good. */
const GOOD_APDEX = 0.85;

export function cyclesOf({ stages, pages, objectives }: Pick<RunResult, 'stages' | 'pages' | 'objectives'>): Cycle[] {
  return stages.flatMap((stage, index): Cycle[] => {
    const { name, counted, level, requests, rates, latency } = stage;
    if (!counted || level.unit === 'arrivalsPerSecond' || level.from !== level.to) return [];
    const broke = objectives.some((one) => one.stage === name && one.outcome === 'breaks' && one.objective.kind !== 'throughput');
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
          broke,
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
        broke,
      },
    ];
  });
}

/**
 * The cycle that did most and did it well: the highest rate × Apdex of those whose Apdex is good and that missed no objective; where no Apdex is known, the
 * highest rate of those that missed none. null where none did well: then there is no best one, only a fastest.
 */
export function bestCycle(cycles: readonly Cycle[]): Cycle | null {
  const scored = cycles.flatMap((cycle) => {
    const { perSecond, apdex, broke } = cycle;
    if (perSecond === null || perSecond === 0 || broke || (apdex !== null && apdex < GOOD_APDEX)) return [];
    return [{ cycle, score: perSecond * (apdex ?? 1) }];
  });
  return scored.toSorted((one, other) => other.score - one.score)[0]?.cycle ?? null;
}

/** What an hour brings at a rate: 10.489 a second × 3,600 = 37,760. */
export function perHour(perSecond: number): number {
  return Math.round(perSecond * 3_600);
}
