import type { BreakingPointAnswer } from '#core/search/breakingPoint/schema.ts';
import type { LevelReading } from '#core/search/breakingPoint/reading.ts';
import type { UsersReading } from '#core/search/characterize/reading.ts';
import type { CharacterAnswer } from '#core/search/characterize/schema.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { SearchRun } from '#core/search/run.ts';
import { frozenReadings } from '#core/search/table.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import type { LevelData, LevelLine, LevelValue } from '../charts/levels.ts';
import { variantLook } from '../charts/looks.ts';
import { chartNames } from '../charts/names.ts';

const { levels: texts } = chartNames;

/** Two charts over the same levels. */
interface SearchPicture extends Pick<LevelData, 'categories' | 'axisName'> {
  readonly numbers: readonly number[];
  readonly rate: readonly LevelLine[];
  readonly times: readonly LevelLine[];
}

/** Returns charts of rates and times over the levels of a search, with the model of the workers. Empty for a single level. */
export function searchCharts({ answer, runs }: Pick<SearchResult, 'answer' | 'runs'>): LevelData[] {
  const picture = answer.kind === 'breakingPoint' ? searchPicture(answer, runs) : characterPicture(answer, runs);
  if (picture === null) return [];
  const { rate, times, ...axis } = picture;
  return [
    { ...axis, title: texts.rate, about: '', unit: 'perSecond', lines: rate },
    { ...axis, title: answer.kind === 'breakingPoint' ? texts.within : texts.time, about: '', unit: 'ms', lines: times },
  ];
}

/** A line needs at least two points. */
const MIN_LEVELS = 2;

/** Returns rates and times by level in ascending order, with ranges for repeated levels. null for fewer than two levels. */
export function searchPicture({ unit }: Pick<BreakingPointAnswer, 'unit'>, runs: readonly SearchRun[]): SearchPicture | null {
  const readings = runs.flatMap(({ reading }) => (reading?.kind === 'level' ? [reading] : []));
  const levels = [...new Set(readings.map(({ level }) => level))].sort((a, b) => a - b);
  if (levels.length < MIN_LEVELS) return null;
  const line = (pick: (reading: LevelReading) => number | null): LevelLine => ({
    name: texts.measured,
    look: variantLook(0),
    values: levels.map((level) => {
      const own = readings.filter((one) => one.level === level);
      return spreadOf(
        own.flatMap((one) => pick(one) ?? []),
        outcomeOf(own),
      );
    }),
  });
  return {
    numbers: levels,
    categories: levels.map(unit === 'arrivalsPerSecond' ? formatNumber : formatCount),
    axisName: texts.axis[unit],
    rate: [line(({ okPerSecond }) => okPerSecond)],
    times: [line(({ p95 }) => (typeof p95 === 'number' ? p95 : null))],
  };
}

/** Returns measured rates and times, times without waiting, and the model of the workers. null for fewer than two numbers of users. */
export function characterPicture({ serviceMs, workers }: CharacterAnswer, runs: readonly SearchRun[]): SearchPicture | null {
  const readings = runs.flatMap(({ reading }) => (reading?.kind === 'users' ? [reading] : []));
  const users = [...new Set(readings.map((one) => one.users))].sort((a, b) => a - b);
  if (users.length < MIN_LEVELS || serviceMs === null) return null;
  const frozen = frozenReadings(runs);
  const of = (number: number): UsersReading[] => readings.filter((one) => one.users === number);
  const measured = (pick: (reading: UsersReading) => number | null) => ({
    name: texts.measured,
    look: variantLook(0),
    values: users.map((number) =>
      spreadOf(
        of(number).flatMap((one) => pick(one) ?? []),
        of(number).some((one) => frozen.has(one)) ? 'failed' : undefined,
      ),
    ),
  });
  const formula = (name: string, index: number, value: (number: number, pauseMs: number) => number): LevelLine => ({
    name,
    look: variantLook(index),
    values: users.map((number) => spreadOf([value(number, of(number)[0]?.pauseMs ?? 0)])),
  });
  const alone = serviceMs.value;
  const some = workers?.value ?? null;
  const time = (number: number, pauseMs: number): number =>
    Math.max(alone, (number * alone) / (some ?? Number.POSITIVE_INFINITY) - pauseMs);
  const pool = (value: (number: number, pauseMs: number) => number): LevelLine[] =>
    some === null ? [] : [formula(texts.workers(formatCount(some)), 1, value)];
  return {
    numbers: users,
    categories: users.map(formatCount),
    axisName: texts.axis.users,
    rate: [
      measured((one) => (frozen.has(one) ? null : one.okPerSecond)),
      ...pool((number, pauseMs) => (1_000 * number) / (time(number, pauseMs) + pauseMs)),
    ],
    times: [measured(({ meanMs }) => meanMs), ...pool(time), formula(texts.noWaiting, 2, () => alone)],
  };
}

/** Returns the outcome of most runs of a level; inconclusive if no run decides. */
function outcomeOf(readings: readonly LevelReading[]): LevelValue['outcome'] {
  const count = (outcome: LevelReading['outcome']): number => readings.filter((one) => one.outcome === outcome).length;
  if (count('failed') > count('passed')) return 'failed';
  return count('passed') === 0 ? 'inconclusive' : undefined;
}

function spreadOf(values: readonly number[], outcome?: LevelValue['outcome']): LevelValue | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const median = ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
  return { median, least, most, ...(outcome === undefined ? {} : { outcome }) };
}
