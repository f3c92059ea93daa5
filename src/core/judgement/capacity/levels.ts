import { countResponses, findFailedShare, countWanted } from '#core/measurement/requestOutcomes.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';

export const COUNTED_LEVEL_UNITS = ['connections', 'users'] as const;
export type LevelCount = (typeof COUNTED_LEVEL_UNITS)[number];

/** A level of simultaneous users or connections, with its throughput. */
export interface LoadLevel {
  readonly name: string;
  readonly at: number;
  /** Successful responses or complete pages per second, one value for each run. */
  readonly perSecond: readonly number[];
  /** Share of failed requests, 0 to 1. */
  readonly failedShare: number;
  /** Whether the load generator was overloaded for so long that it may limit the rate itself. */
  readonly isDoubted: boolean;
}

/** Levels of one server under one kind of load, in ascending order. */
export interface LevelSet {
  /** For a series: the variant, and what else the levels have in common. Empty for a run. */
  readonly name: string;
  readonly unit: LevelCount;
  readonly counted: 'responses' | 'pages';
  readonly levels: readonly LoadLevel[];
}

/** Minimum number of levels that show more than their own figures do. */
export const MIN_SHOWN_LEVELS = 3;
/** Share of overloaded seconds from which a level is doubtful. */
export const MIN_DOUBTFUL_SHARE = 0.2;

/** Returns the counted stages of a run with a constant number of users or connections; null for fewer than three. */
export function levelsOfRun({ stages, pages, windows }: Pick<RunResult, 'stages' | 'pages' | 'windows'>): LevelSet | null {
  const first = stages.find(({ level }) => level.unit !== 'arrivalsPerSecond');
  if (first === undefined || first.level.unit === 'arrivalsPerSecond') return null;
  const { unit } = first.level;
  const levels = stages.flatMap((stage, index): LoadLevel[] => {
    const { name, counted, level, requests, rates, startedAtSecond: from, endedAtSecond: to } = stage;
    if (!counted || level.unit !== unit || level.from !== level.to || level.highest !== level.to) return [];
    const respondedPerSecond = rates.completedPerSecond;
    if (respondedPerSecond === null || requests.sent === 0) return [];
    const stageWindows = windows.filter(({ second, width }) => from !== null && to !== null && second >= from && second + width <= to);
    const seconds = stageWindows.reduce((sum, { width }) => sum + width, 0);
    const overloaded = stageWindows.reduce((sum, point) => sum + (point.overloadedBy.length > 0 ? point.width : 0), 0);
    const complete = countResponses(requests);
    const perSecond =
      pages === null
        ? complete === 0
          ? 0
          : (respondedPerSecond * requests.ok) / complete
        : (pages.stages[index]?.figures.completePerSecond ?? 0);
    return [
      {
        name,
        at: level.to,
        perSecond: [perSecond],
        failedShare: findFailedShare(requests) ?? 0,
        isDoubted: seconds > 0 && overloaded > MIN_DOUBTFUL_SHARE * seconds,
      },
    ];
  });
  return levels.length < MIN_SHOWN_LEVELS
    ? null
    : { name: '', unit, counted: pages === null ? 'responses' : 'pages', levels: levels.toSorted(compareCounts) };
}

export function compareCounts(one: LoadLevel, other: LoadLevel): number {
  return one.at - other.at;
}

/** A counted stage of a run with a number of users or connections, as a row of the table of cycles. */
export interface Cycle {
  readonly name: string;
  readonly at: number;
  /** Whether pages are counted (if whole pages were fetched) or requests. */
  readonly counted: 'pages' | 'requests';
  /** Numbers of pages or requests that ended, succeeded and failed. */
  readonly total: number;
  readonly good: number;
  readonly failed: number;
  /** Successful pages or requests per second. */
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
  /** Apdex of the requests that belong to the pages. Some tools report it as the pages' Apdex. */
  readonly requestApdex: number | null;
  readonly hasFailed: boolean;
}

/** Apdex from which the Apdex specification calls the rating good. */
const MIN_GOOD_APDEX = 0.85;

export function findCycles({ stages, pages, criteria }: Pick<RunResult, 'stages' | 'pages' | 'criteria'>): Cycle[] {
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
    const responded = countResponses(requests);
    const { min, mean, p50, p90, p95, max } = latency.response;
    return [
      {
        name,
        at: level.to,
        counted: 'requests',
        total: requests.sent,
        good: requests.ok,
        failed: countWanted(requests) - requests.ok,
        perSecond: rates.completedPerSecond === null || responded === 0 ? null : (rates.completedPerSecond * requests.ok) / responded,
        times: { min, mean, p50, p90, p95, max },
        apdex: null,
        requestApdex: null,
        hasFailed,
      },
    ];
  });
}

/**
 * Returns the best cycle: the one with the highest rate × Apdex among those with a good Apdex and no failed criterion. If no cycle has an
 * Apdex, the one with the highest rate. Returns null if no cycle qualifies.
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
