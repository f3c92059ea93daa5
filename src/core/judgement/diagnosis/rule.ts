import type { Finding, Point, RunResult } from '#core/result/schema.ts';
import { type AbsentItem, withoutAbsent, sumOf } from '#core/base/lists.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { redirectsName } from '#core/plan/requests.ts';
import type { Reading } from '#core/statistics/trend.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { formatMs, formatNumber, formatPercent, type TimeMs } from '#core/base/units.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { serverMessage } from '#core/work/samples/schema.ts';

/** Input of the rules: a result without verdict and findings. */
export type MeasuredRun = Omit<RunResult, 'criteria' | 'verdict' | 'findings'>;

/** A finding before `settle` removes those that more precise findings replace. */
export interface FindingDraft extends Finding {
  /**
   * Ids of less precise or contradicting findings, which this finding removes. `behaviour.*` means all ids that begin with `behaviour.`.
   */
  readonly insteadOf?: readonly string[];
}

/** A finding as a rule makes it. Conditions may leave out lines of evidence and figures. */
export interface Draft extends Omit<FindingDraft, 'id' | 'evidence' | 'figures' | 'confidence' | 'range'> {
  /** The part of the finding's id before the full stop, if it differs from the id of the rule. */
  readonly rule?: string;
  /** The subject of the finding, if the rule has one finding for each of several. The id is then `rule.subject`. */
  readonly of?: string;
  readonly evidence?: readonly (string | AbsentItem)[];
  readonly figures?: readonly (Figure | AbsentItem)[];
  /** Omitted if the finding was counted rather than inferred, which means “certain”. */
  readonly confidence?: Finding['confidence'];
  /** Omitted if the finding concerns the whole run. */
  readonly range?: Finding['range'];
}

/**
 * Returns the id of the rule: the part of the finding's id before the full stop. The rest is the subject, if the rule has several findings.
 */
export function ruleOf({ id }: Pick<Finding, 'id'>): string {
  return id.split('.', 1)[0] ?? id;
}

/** A rule about one noteworthy fact. It is pure: the same input gives the same findings, and a healthy run gives none. */
export interface Rule {
  readonly id: string;
  find(facts: MeasuredRun): FindingDraft[];
}

/** Returns a rule that finds nothing, one fact, or one fact for each of several subjects. */
export function rule(id: string, find: (facts: MeasuredRun) => Draft | AbsentItem | readonly (Draft | AbsentItem)[]): Rule {
  return { id, find: (facts) => withoutAbsent([find(facts)].flat()).map((draft) => buildFinding(id, draft)) };
}

function buildFinding(
  id: string,
  { rule: own = id, of, evidence = [], figures, confidence = 'certain', range = null, ...draft }: Draft,
): FindingDraft {
  const lines = { evidence: withoutAbsent(evidence), ...(figures && { figures: withoutAbsent(figures) }) };
  return { id: of === undefined ? own : `${own}.${of}`, ...draft, ...lines, confidence, range };
}

/** Maximum share that is not worth reporting. */
export const MAX_NEGLIGIBLE_SHARE = 0.001;
/** Share of failures from which their cause is reported. */
export const MIN_NOTICEABLE_SHARE = 0.01;

/** A number in the evidence, with its name. */
export type Figure = NonNullable<Finding['figures']>[number];

export function figure(what: string, value: string): Figure {
  return { what, value };
}

type Stretch = NonNullable<NonNullable<Finding['range']>['spans']>[number];

/** Maximum number of separate spans in a chart. Beyond it, the closest spans are joined. */
const MAX_SPANS = 60;
/** Tolerance for floating-point sums of seconds. */
const TOUCHING_SECONDS = 1e-6;

/** Returns the range of these points: see {@link rangeOfSpans}. */
export function rangeOf(points: readonly Pick<Point, 'second' | 'width'>[]): Finding['range'] {
  return rangeOfSpans(points.map(({ second, width }) => ({ fromSecond: second, toSecond: second + width })));
}

/**
 * Returns the range from the first beginning to the last end of these spans, which must be in order of time; null if there are no spans.
 * Lists the spans if there are gaps between them.
 */
export function rangeOfSpans(stretches: readonly Stretch[]): Finding['range'] {
  const separateSpans = joinStretches(stretches, TOUCHING_SECONDS);
  const [first, last] = [separateSpans[0], separateSpans.at(-1)];
  if (first === undefined || last === undefined) return null;
  const gaps = separateSpans.slice(1).map(({ fromSecond }, index) => fromSecond - (separateSpans[index]?.toSecond ?? fromSecond));
  const widest = gaps.toSorted((one, other) => other - one)[MAX_SPANS - 1] ?? 0;
  const spans = joinStretches(separateSpans, widest);
  return { fromSecond: first.fromSecond, toSecond: last.toSecond, ...(spans.length > 1 ? { spans } : {}) };
}

/** Joins spans that overlap or are at most `apartSeconds` apart. */
function joinStretches(stretches: readonly Stretch[], apartSeconds: number): Stretch[] {
  const found: Stretch[] = [];
  for (const { fromSecond, toSecond } of stretches) {
    const last = found.at(-1);
    if (last === undefined || fromSecond - last.toSecond > apartSeconds) found.push({ fromSecond, toSecond });
    else found[found.length - 1] = { fromSecond: last.fromSecond, toSecond: Math.max(last.toSecond, toSecond) };
  }
  return found;
}

/** Returns the time in which a stage's load was running; null if the stage was never reached. */
export function rangeOfStage(
  stage: Pick<MeasuredRun['stages'][number], 'startedAtSecond' | 'endedAtSecond'> | undefined,
): Finding['range'] {
  if (stage === undefined || stage.startedAtSecond === null || stage.endedAtSecond === null) return null;
  return { fromSecond: stage.startedAtSecond, toSecond: stage.endedAtSecond };
}

export function countStatuses(statuses: Point['status'], matches: (status: number) => boolean): number {
  return sumOf(Object.entries(statuses), ([status, count]) => (matches(Number(status)) ? count : 0));
}

/** Returns counts by name, the highest first. */
export function sortByFrequency(counts: Readonly<Record<string, number>>): [name: string, count: number][] {
  return Object.entries(counts).sort(([, one], [, other]) => other - one);
}

/** Returns the points that lie completely between two seconds. */
export function pointsBetween({ windows }: Pick<MeasuredRun, 'windows'>, fromSecond: number | null, toSecond: number | null): Point[] {
  if (fromSecond === null || toSecond === null) return [];
  return windows.filter(({ second, width }) => second >= fromSecond && second + width <= toSecond);
}

/** Returns the share of ended requests without success, 0 to 1. */
export function failedShare(points: readonly Pick<Point, 'ok' | 'failed'>[]): number {
  const failed = sumOf(points, (point) => point.failed);
  return failed / Math.max(1, failed + sumOf(points, ({ ok }) => ok));
}

/** Returns how many seconds these points cover. */
export function secondsOf(points: readonly Pick<Point, 'width'>[]): number {
  return sumOf(points, ({ width }) => width);
}

/** Returns the share of overloaded seconds, 0 to 1. */
export function overloadedShare({ windows }: Pick<MeasuredRun, 'windows'>): number {
  const overloadedBy = windows.filter((point) => point.overloadedBy.length > 0);
  return windows.length === 0 ? 0 : secondsOf(overloadedBy) / secondsOf(windows);
}

/** Returns the readings of a watched number on the machine with the most readings. */
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
 * Returns the steps, with their redirects, whose responses differ on purpose because their requests contain values or poll. Their lengths
 * and times are not comparable.
 */
export function listDifferentOnPurpose({ journey }: Pick<RunResult['plan'], 'journey'>): ReadonlySet<string> {
  const steps = journey.filter((step) => step.poll !== undefined || namesOfStep(step).length > 0);
  return new Set(steps.flatMap(({ name }) => [name, redirectsName(name)]));
}

/** Returns “, first in second 5” to append to a sentence; empty if the second is unknown. */
export function formatFirst(first: Pick<Point, 'second'> | undefined): string {
  return first === undefined ? '' : `, first in second ${formatNumber(first.second)}`;
}

export function rangeOfTimes(min: TimeMs, p50: TimeMs, max: TimeMs): Figure {
  return figure('Their min, median and max', `${formatMs(min)}, ${formatMs(p50)}, ${formatMs(max)}`);
}

export function failedSinceFigure(share: number): Figure {
  return figure('Failed from then on', formatPercent(share));
}

type ServerMessages = NonNullable<RunResult['serverMessages']>;

/** Maximum number of kinds of failures that are quoted. */
const MAX_QUOTED = 50;

/** Returns, for each kind of failure of each request, the server's most frequent message among the stored failures. */
export function collectServerMessages(samples: readonly Sample[]): ServerMessages {
  const kinds = new Map<string, { readonly request: string; readonly failure: string; readonly counts: Map<string, number> }>();
  for (const { request, failure, says } of samples) {
    if (failure === null || says === undefined) continue;
    const key = JSON.stringify([request, failure]);
    const kind = kinds.get(key) ?? { request, failure, counts: new Map<string, number>() };
    if (!kinds.has(key) && kinds.size >= MAX_QUOTED) continue;
    kinds.set(key, kind);
    kind.counts.set(says, (kind.counts.get(says) ?? 0) + 1);
  }
  return [...kinds.values()].map(({ request, failure, counts }) => {
    const [[words] = ['']] = [...counts].sort(([, some], [, others]) => others - some);
    return { request, failure, words };
  });
}

/** Returns the server's reason for the given failures as a sentence that quotes it; empty if there is no reason. */
export function serverQuote(
  { serverMessages = [] }: Pick<RunResult, 'serverMessages'>,
  request: string,
  isMeant: (failure: string) => boolean,
): string {
  const ownWords = serverMessages.find((one) => one.request === request && isMeant(one.failure));
  return ownWords === undefined ? '' : ` ${serverMessage(ownWords.words)}`;
}
