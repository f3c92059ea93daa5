import { z } from 'zod';
import { formatCount, formatMs, formatSeconds } from '#core/base/units.ts';
import type { Cell, TimeKind, Window } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { recoverySchema } from './behaviour.ts';
import { amountBefore } from '#core/work/load/rateCurve.ts';
import { planSchedule } from '#core/work/load/arrivals.ts';
import { listBeginnings, listLegs } from '#core/work/load/stages.ts';
import { addInto, countAbove, type Histogram, createTotalHistogram, percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { withoutAbsent, sumOf } from '#core/base/lists.ts';
import { hasReached } from '#core/measurement/people.ts';
import { listGates } from '#core/work/journey/people.ts';
import type { PeopleTally } from './people.ts';

/** Times after a bell within which served users are counted, in seconds. */
export const SERVED_WITHIN_SECONDS = [1, 5, 15] as const;
/** Length of the parts in which the opening is counted, in µs. The opening is the first ten seconds after the bell. */
const TENTH_US = 100_000;
export const TENTH_SECONDS = TENTH_US / 1_000_000;
export const OPENING_SECONDS = 10;

/** Result of a bell. Every user is in one group: `expected = waited + late + absent` and `waited = served + failed + unfinished`. */
export const bellResultSchema = z.strictObject({
  bell: z.string(),
  /** The step that was sent at the bell. */
  step: z.string(),
  atSecond: z.number(),
  /** Number of users planned to have started by the time of the bell. */
  expected: z.int(),
  /** Number of users who waited when the bell rang. The next fields are those who came later and those who never came. */
  waited: z.int(),
  late: z.int(),
  absent: z.int(),
  /** True if the run was stopped before the bell rang; omitted otherwise. */
  isCalledOff: z.literal(true).optional(),
  /**
   * Late and absent users by cause: still on their way to the gate, ended before it by a failure, or never started by the load generators.
   * Omitted in older results.
   */
  awayBecause: z.strictObject({ underWay: z.int(), failed: z.int(), generator: z.int() }).optional(),
  /** p99 of the time from the bell to the first byte that a waiting user sent, in ms; null if no user sent any. */
  startP99Ms: z.number().nullable(),
  startMaxMs: z.number().nullable(),
  /** Number of users whose step succeeded. The next fields are those whose step failed or was still running at the end. */
  served: z.int(),
  failed: z.int(),
  unfinished: z.int(),
  /** Number of users who had to reload, with any outcome. */
  reloaded: z.int(),
  servedWithin: z.array(z.strictObject({ seconds: z.number(), users: z.int() })),
  /** Time from the bell to the last success, in ms; null if there was none. */
  lastServedMs: z.number().nullable(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  /** Numbers of users who were served, and whose step failed, in each tenth of the first ten seconds after the bell. */
  opening: z.array(z.strictObject({ served: z.int(), failed: z.int() })),
  /** Time until times and failures were as before the bell. Omitted in older results and while the run is active. */
  recovery: recoverySchema
    .pick({ beforeMs: true, worstMs: true, seconds: true, watchedSeconds: true, resolutionSeconds: true, reason: true })
    .optional(),
});
export type BellResult = z.output<typeof bellResultSchema>;

interface Sums {
  waited: number;
  late: number;
  reloaded: number;
  readonly starts: Histogram;
  readonly served: Histogram;
  readonly failed: Histogram;
}

const BELL_TIME_KINDS = [
  ['starts', 'bellStart'],
  ['served', 'bellServed'],
  ['failed', 'bellFailed'],
] as const satisfies readonly (readonly [keyof Sums, TimeKind])[];

/** Tallies the users and times at the gates, by index of their steps. */
export class BellTally {
  private readonly requestIndexes = new Map<number, Sums>();

  add({ cells }: Window): void {
    for (const cell of cells) if (isOfGate(cell)) this.addCell(cell);
  }

  private addCell({ step, waitedAtGate, lateAtGate, reloadedAtBell, times }: Cell): void {
    let sums = this.requestIndexes.get(step);
    if (sums === undefined) this.requestIndexes.set(step, (sums = emptySums()));
    sums.waited += waitedAtGate;
    sums.late += lateAtGate;
    sums.reloaded += reloadedAtBell;
    for (const [sum, kind] of BELL_TIME_KINDS) if (times[kind] !== undefined) addInto(sums[sum], times[kind]);
  }

  /**
   * Returns the bells of the plan in the order of their steps. `people`: states of all people whose state is known. `endedAtSecond`: end of
   * the run. While the run continues, it is null, and bells that nobody has reached are omitted.
   */
  results(plan: Plan, people: PeopleTally['states'] = [], endedAtSecond: number | null = null): BellResult[] {
    const gates = listGates(plan);
    return plan.journey.flatMap(({ name: step, gate }, requestIndex) => {
      const bell = gate === undefined ? undefined : getOwn(plan.bells ?? {}, gate);
      const sums = this.requestIndexes.get(requestIndex) ?? (endedAtSecond === null ? undefined : emptySums());
      if (gate === undefined || bell === undefined || sums === undefined) return [];
      const { atSeconds: atSecond } = bell;
      const figures = computeFigures(sums, countExpectedUsers(plan, atSecond));
      const isCalledOff = endedAtSecond !== null && endedAtSecond < atSecond;
      const awayBecause = countAbsenceCauses(figures, people, gates.indexOf(requestIndex));
      return [{ bell: gate, step, atSecond, ...figures, awayBecause, ...(isCalledOff ? { isCalledOff } : {}) }];
    });
  }
}

function emptySums(): Sums {
  return {
    waited: 0,
    late: 0,
    reloaded: 0,
    starts: createTotalHistogram(),
    served: createTotalHistogram(),
    failed: createTotalHistogram(),
  };
}

/** Splits late and absent users by cause. A late user was on the way when the bell rang. `gate`: index of the gate in the journey. */
function countAbsenceCauses(
  { late, absent }: Pick<BellResult, 'late' | 'absent'>,
  people: PeopleTally['states'],
  gate: number,
): NonNullable<BellResult['awayBecause']> {
  const neverThere = people.filter(({ gates }) => !hasReached(gates, gate));
  const failed = Math.min(
    absent,
    sumOf(neverThere, (state) => (state.end === 'underWay' || state.end === 'waiting' ? 0 : state.people)),
  );
  const begun = sumOf(neverThere, (state) => state.people);
  const generator = people.length === 0 ? 0 : Math.max(0, absent - Math.max(begun, failed));
  return { underWay: late + absent - failed - generator, failed, generator };
}

function isOfGate({ waitedAtGate, lateAtGate, reloadedAtBell, times }: Cell): boolean {
  return waitedAtGate + lateAtGate + reloadedAtBell > 0 || BELL_TIME_KINDS.some(([, kind]) => times[kind] !== undefined);
}

function computeFigures(
  { waited, late, reloaded, starts, served, failed }: Sums,
  planned: number,
): Omit<BellResult, 'bell' | 'step' | 'atSecond'> {
  const expected = Math.max(planned, waited + late);
  return {
    expected,
    waited,
    late,
    absent: expected - waited - late,
    startP99Ms: percentileMs(starts, 99),
    startMaxMs: percentileMs(starts, 100),
    served: served.totalCount,
    failed: failed.totalCount,
    unfinished: Math.max(0, waited - served.totalCount - failed.totalCount),
    reloaded,
    servedWithin: SERVED_WITHIN_SECONDS.map((seconds) => ({ seconds, users: countWithin(served, seconds * 1_000_000) })),
    lastServedMs: percentileMs(served, 100),
    p50Ms: percentileMs(served, 50),
    p95Ms: percentileMs(served, 95),
    opening: Array.from({ length: Math.round(OPENING_SECONDS / TENTH_SECONDS) }, (_, tenth) => ({
      served: countBetween(served, tenth),
      failed: countBetween(failed, tenth),
    })),
  };
}

function countWithin(times: Histogram, limitUs: number): number {
  return times.totalCount - countAbove(times, limitUs);
}

function countBetween(times: Histogram, tenth: number): number {
  return countWithin(times, (tenth + 1) * TENTH_US) - (tenth === 0 ? 0 : countWithin(times, tenth * TENTH_US));
}

function percentileMs(times: Histogram, percentile: number): number | null {
  return times.totalCount === 0 ? null : valueAtRank(times, percentileRank(percentile, times.totalCount)) / 1_000;
}

/** Returns the number of users whom the load starts until a second. */
export function countExpectedUsers(plan: Plan, atSeconds: number): number {
  const schedule = planSchedule(plan);
  if (schedule !== null) return Math.round(amountBefore(schedule.curve, atSeconds));
  const stages = (listLegs(plan)[0] ?? []).map((index) => plan.load.stages[index]);
  const begun = listBeginnings(plan, listLegs(plan)[0] ?? []).filter(({ atSecond }) => atSecond < atSeconds).length;
  const stage = stages[Math.max(0, begun - 1)];
  return stage !== undefined && 'users' in stage ? stage.users : 0;
}

/** Describes a bell in sentences, the result first. */
export function bellSentences(result: BellResult): string[] {
  const { bell, step, atSecond, waited, late, absent, served, failed, unfinished, reloaded, servedWithin, lastServedMs, startP99Ms } =
    result;
  if (result.isCalledOff === true)
    return [
      `Bell “${bell}” was called off before it rang at ${formatSeconds(atSecond)}. ${formatCount(waited)} ${waited === 1 ? 'user was' : 'users were'} waiting.`,
    ];
  const head = `Bell “${bell}” at ${formatSeconds(atSecond)}`;
  const within = servedWithin.map(({ seconds, users }) => `${formatCount(users)} within ${formatSeconds(seconds)}`).join(', ');
  const lossTexts = [
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(unfinished > 0 ? [`${formatCount(unfinished)} had no response at the end`] : []),
  ];
  const absenceTexts = [
    ...(late > 0 ? [`${formatCount(late)} came after the bell`] : []),
    ...(absent > 0 ? [`${formatCount(absent)} never reached it${describeAbsence(result)}`] : []),
  ];
  return withoutAbsent([
    absenceTexts.length === 0
      ? `${head}: ${formatCount(served)} of ${formatCount(waited)} waiting users were served by “${step}”: ${within}.`
      : `${head}: ${formatCount(waited)} of ${formatCount(waited + late + absent)} users were there in time. ${served === 0 ? `“${step}” served none of them` : `${formatCount(served)} of them were served by “${step}”: ${within}`}.`,
    lastServedMs !== null && `The last one was served after ${formatMs(lastServedMs)}.`,
    reloaded !== 0 && `${formatCount(reloaded)} had to reload.`,
    result.recovery !== undefined && recoverySentence(result.recovery),
    lossTexts.length > 0 && `${lossTexts.join(', ')}.`,
    absenceTexts.length > 0 && `${absenceTexts.join(', ')}.`,
    startP99Ms !== null && `99 % of their requests started within ${formatMs(startP99Ms)} of the bell.`,
  ]);
}

/** Returns the causes of absence as text: “: 2 failed before it, 1 was still on the way”. Empty if they are unknown. */
function describeAbsence({ absent, awayBecause }: BellResult): string {
  if (awayBecause === undefined) return '';
  const { failed, generator } = awayBecause;
  const onTheWay = absent - failed - generator;
  const causes = [
    ...(failed > 0 ? [`${formatCount(failed)} failed before it`] : []),
    ...(onTheWay > 0 ? [`${formatCount(onTheWay)} ${onTheWay === 1 ? 'was' : 'were'} still on the way`] : []),
    ...(generator > 0 ? [`${formatCount(generator)} never started`] : []),
  ];
  return `: ${causes.join(', ')}`;
}

function recoverySentence({ seconds, watchedSeconds, reason, beforeMs }: NonNullable<BellResult['recovery']>): string | false {
  if (reason !== null) return false;
  const normal = `the p90 of each second was again at most that before the bell (${formatMs(beforeMs)})`;
  return seconds === null
    ? `In the ${formatSeconds(watchedSeconds)} after it, response times did not return to those before the bell (p90 ${formatMs(beforeMs)}).`
    : `After ${formatSeconds(Math.max(1, seconds))} ${normal}.`;
}
