import { answeredRequests, failedShareOf } from '#core/measurement/requestOutcomes.ts';
import type { RunResult } from '#core/result/schema.ts';

export const LEVEL_COUNTS = ['connections', 'users'] as const;
export type LevelCount = (typeof LEVEL_COUNTS)[number];

/** A level of simultaneous users or connections, with its throughput. */
export interface LoadLevel {
  readonly name: string;
  readonly at: number;
  /** Successful responses or complete pages per second, one value for each run. */
  readonly perSecond: readonly number[];
  /** Share of failed requests, 0 to 1. */
  readonly failedShare: number;
  /** Whether the load generator was overloaded so long that the rate may be its own. */
  readonly isDoubted: boolean;
}

/** Levels of one server under one kind of load, in ascending order. */
export interface LevelSet {
  /** Of a series: the variant, and what else the levels have in common; empty for a run. */
  readonly name: string;
  readonly unit: LevelCount;
  readonly counted: 'answers' | 'pages';
  readonly levels: readonly LoadLevel[];
}

/** Fewest levels that show more than their own figures. */
export const MIN_SHOWN_LEVELS = 3;
/** From this share of overloaded seconds on, a level is doubtful. */
export const MIN_DOUBTFUL_SHARE = 0.2;

/** Returns the counted stages of a run with a constant number of users or connections; null for fewer than three. */
export function levelsOfRun({ stages, pages, windows }: Pick<RunResult, 'stages' | 'pages' | 'windows'>): LevelSet | null {
  const first = stages.find(({ level }) => level.unit !== 'arrivalsPerSecond');
  if (first === undefined || first.level.unit === 'arrivalsPerSecond') return null;
  const { unit } = first.level;
  const levels = stages.flatMap((stage, index): LoadLevel[] => {
    const { name, counted, level, requests, rates, startedAtSecond: from, endedAtSecond: to } = stage;
    if (!counted || level.unit !== unit || level.from !== level.to || level.highest !== level.to) return [];
    const answeredPerSecond = rates.completedPerSecond;
    if (answeredPerSecond === null || requests.sent === 0) return [];
    const own = windows.filter(({ second, width }) => from !== null && to !== null && second >= from && second + width <= to);
    const seconds = own.reduce((sum, { width }) => sum + width, 0);
    const overloaded = own.reduce((sum, point) => sum + (point.overloadedBy.length > 0 ? point.width : 0), 0);
    const complete = answeredRequests(requests);
    const perSecond =
      pages === null
        ? complete === 0
          ? 0
          : (answeredPerSecond * requests.ok) / complete
        : (pages.stages[index]?.figures.completePerSecond ?? 0);
    return [
      {
        name,
        at: level.to,
        perSecond: [perSecond],
        failedShare: failedShareOf(requests) ?? 0,
        isDoubted: seconds > 0 && overloaded > MIN_DOUBTFUL_SHARE * seconds,
      },
    ];
  });
  return levels.length < MIN_SHOWN_LEVELS
    ? null
    : { name: '', unit, counted: pages === null ? 'answers' : 'pages', levels: levels.toSorted(byCount) };
}

export function byCount(one: LoadLevel, other: LoadLevel): number {
  return one.at - other.at;
}
