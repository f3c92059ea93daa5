import { answeredRequests, failedShareOf } from '#core/measurement/ledger.ts';
import type { RunResult } from '#core/result/schema.ts';

export const LEVEL_COUNTS = ['connections', 'users'] as const;
export type LevelCount = (typeof LEVEL_COUNTS)[number];

/** So many at a time who ask again when they are answered, and what they got done. */
export interface LoadLevel {
  readonly name: string;
  readonly at: number;
  /** Good answers or complete pages a second, one for each run of it. */
  readonly perSecond: readonly number[];
  /** Of what was sent, 0 to 1. */
  readonly failedShare: number;
  /** Whether what made the load was busy for so much of it that the rate may be its own. */
  readonly isDoubted: boolean;
}

/** Levels of one server under one kind of load, from few to many. */
export interface LevelSet {
  /** Of a series: its variant, and what else its levels have in common; empty for a run. */
  readonly name: string;
  readonly unit: LevelCount;
  readonly counted: 'answers' | 'pages';
  readonly levels: readonly LoadLevel[];
}

/** Of one or two levels there is nothing to tell that their figures do not say. */
export const LEAST_TOLD = 3;
/** From this share of its seconds on a busy generator casts doubt on a level. */
export const DOUBTED = 0.2;

/** The counted stages of a run that hold one number of users or connections; null where there are fewer than three. */
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
    const sick = own.reduce((sum, point) => sum + (point.sick.length > 0 ? point.width : 0), 0);
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
        isDoubted: seconds > 0 && sick > DOUBTED * seconds,
      },
    ];
  });
  return levels.length < LEAST_TOLD
    ? null
    : { name: '', unit, counted: pages === null ? 'answers' : 'pages', levels: levels.toSorted(byCount) };
}

export function byCount(one: LoadLevel, other: LoadLevel): number {
  return one.at - other.at;
}
