import type { Finding, Point, RunResult } from '#core/result/schema.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { redirectsName } from '#core/plan/requests.ts';
import type { Reading } from '#core/statistics/trend.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { formatMs, formatNumber, formatPercent, type TimeMs } from '#core/base/units.ts';

/** What rules look at: a result as far as it is known before anything was concluded from it. */
export type MeasuredRun = Omit<RunResult, 'objectives' | 'verdict' | 'findings'>;

/** A finding as a rule gives it. */
export interface Found extends Finding {
  /**
   * Findings that say less about the same thing, or would contradict this one: they are left out. By id; `behaviour.*` means all ids that
   * begin with what stands before the star.
   */
  readonly insteadOf?: readonly string[];
}

/** The rule that a finding is of: its id is that of the rule, and behind a full stop what it is about where there are several. */
export function ruleOf({ id }: Pick<Finding, 'id'>): string {
  return id.split('.', 1)[0] ?? id;
}

/** One thing that an expert would notice. Pure: the same facts always give the same findings, and healthy facts none. */
export interface Rule {
  readonly id: string;
  find(facts: MeasuredRun): Found[];
}

/** Shares below this are coincidences that nobody should be troubled with. */
export const NEGLIGIBLE_SHARE = 0.001;
/** From this share of failures on it is worth asking where they come from. */
export const NOTICEABLE_SHARE = 0.01;

/** A number of the evidence under its name. */
export function figure(what: string, value: string): NonNullable<Finding['figures']>[number] {
  return { what, value };
}

type Stretch = NonNullable<NonNullable<Finding['range']>['spans']>[number];

/** More stretches than these cannot be told apart in a chart: those that lie closest are joined. */
const MOST_SPANS = 60;
/** Ends of seconds are sums of fractions. */
const TOUCHING_SECONDS = 1e-6;

/** The seconds of these points, as {@link rangeOfSpans}. */
export function rangeOf(points: readonly Pick<Point, 'second' | 'width'>[]): Finding['range'] {
  return rangeOfSpans(points.map(({ second, width }) => ({ fromSecond: second, toSecond: second + width })));
}

/** From the beginning of the first of these stretches, which are in the order of time, to the last end; null for none. Where they leave seconds out, the range names them. */
export function rangeOfSpans(stretches: readonly Stretch[]): Finding['range'] {
  const apart = joined(stretches, TOUCHING_SECONDS);
  const [first, last] = [apart[0], apart.at(-1)];
  if (first === undefined || last === undefined) return null;
  const gaps = apart.slice(1).map(({ fromSecond }, index) => fromSecond - (apart[index]?.toSecond ?? fromSecond));
  const widest = gaps.toSorted((one, other) => other - one)[MOST_SPANS - 1] ?? 0;
  const spans = joined(apart, widest);
  return { fromSecond: first.fromSecond, toSecond: last.toSecond, ...(spans.length > 1 ? { spans } : {}) };
}

/** With those made one that are no further apart than so many seconds, or overlap. */
function joined(stretches: readonly Stretch[], apartSeconds: number): Stretch[] {
  const found: Stretch[] = [];
  for (const { fromSecond, toSecond } of stretches) {
    const last = found.at(-1);
    if (last === undefined || fromSecond - last.toSecond > apartSeconds) found.push({ fromSecond, toSecond });
    else found[found.length - 1] = { fromSecond: last.fromSecond, toSecond: Math.max(last.toSecond, toSecond) };
  }
  return found;
}

/** Points that lie wholly between two seconds of the run: of a stage, those in which nothing else was asked for. */
export function pointsBetween({ windows }: Pick<MeasuredRun, 'windows'>, fromSecond: number | null, toSecond: number | null): Point[] {
  if (fromSecond === null || toSecond === null) return [];
  return windows.filter(({ second, width }) => second >= fromSecond && second + width <= toSecond);
}

/** Share of what ended in these seconds that was not good, answered or not. */
export function failedShare(points: readonly Pick<Point, 'ok' | 'failed'>[]): number {
  const failed = points.reduce((sum, point) => sum + point.failed, 0);
  return failed / Math.max(1, failed + points.reduce((sum, point) => sum + point.ok, 0));
}

/** Share of the seconds in which the generator was not to be trusted, 0 to 1. */
export function sickShare({ windows }: Pick<MeasuredRun, 'windows'>): number {
  const seconds = (points: readonly Point[]): number => points.reduce((sum, { width }) => sum + width, 0);
  return windows.length === 0 ? 0 : seconds(windows.filter(({ sick }) => sick.length > 0)) / seconds(windows);
}

/** What was read of a number that the plan watches: on the machine that saw most of it. */
export function watchedReadings(generators: RunResult['generators'], name: string): Reading[] {
  const all = generators.map(({ readings }) =>
    readings.flatMap(({ second, watched }) => {
      const value = getOwn(watched, name);
      return value === undefined ? [] : [{ second, value }];
    }),
  );
  return all.sort((one, other) => other.length - one.length)[0] ?? [];
}

/**
 * Steps that ask for something else each time, or wait until something else comes: their answers have no length and no time of their own, nor have those
 * that they lead to.
 */
export function differentOnPurpose({ journey }: Pick<RunResult['plan'], 'journey'>): ReadonlySet<string> {
  const steps = journey.filter((step) => step.poll !== undefined || namesOfStep(step).length > 0);
  return new Set(steps.flatMap(({ name }) => [name, redirectsName(name)]));
}

/** In which second something first happened, behind a sentence about it; nothing where it is not known. */
export function firstInWords(first: Pick<Point, 'second'> | undefined): string {
  return first === undefined ? '' : `, first in second ${formatNumber(first.second)}`;
}

/** How long those answers took that this is about. */
export function rangeOfTimes(min: TimeMs, p50: TimeMs, max: TimeMs): NonNullable<Finding['figures']>[number] {
  return figure('Their min, median and max', `${formatMs(min)}, ${formatMs(p50)}, ${formatMs(max)}`);
}

/** The share of failures since something happened. */
export function failedSince(share: number): NonNullable<Finding['figures']>[number] {
  return figure('Failed from then on', formatPercent(share));
}
