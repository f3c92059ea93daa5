import type { Plan } from '#core/plan/schema/plan.ts';
import { medianOf } from '#core/statistics/trend.ts';
import type { UsersReading } from './reading.ts';
import { standstillOf } from './standstill.ts';
import type { CharacterizeSettings } from './schema.ts';

/** The counted stage of the runs with users. */
export const USERS_STAGE = 'users';
/** Users ask again after a tenth of the time of an answer: what is refused at once would be asked for without a pause otherwise. */
const PAUSE_SHARE = 0.1;
const LONGEST_PAUSE_MS = 1_000;
/** So many times the time of an answer is measured: whole rounds of workers count then, and not their ends. */
const ROUNDS = 12;
const WAITS = 5;
const LONGEST_SECONDS = 60;
/** Answers that take so much longer than alone wait for others. */
export const WAITING = 1.5;
/** A larger share of failures is a limit of its own. */
export const MANY_FAILED = 0.05;
/** Alone there should be so many answers, or the time of one is hardly known. */
const LEAST_ALONE = 8;
/** Service times of up to so many users at a time are the server's own: hardly any server does less at once and waits not at all. */
const FEW_USERS = 4;
const AS_ALONE = 1.05;
/** A run of them in which this computer did not keep up for longer than this share is made again, so many times at most: what holds it up may be over. */
const MOST_SICK = 1 / 3;
const MOST_AGAIN = 2;

/** The time of an answer when nothing else is asked for, in ms: mean, spread and number of the good answers. */
export interface Alone {
  readonly meanMs: number;
  readonly standardDeviationMs: number;
  readonly answers: number;
  /** Seconds of these runs in which this computer did not keep up. */
  readonly sickSeconds: number;
}

/**
 * From the runs with one, two and four users: from the quickest of them, and those within 5 % of it. Whoever asks first finds a server that has to load its code, and more users than workers
 * wait for each other; neither is its time for an answer. null where nothing was answered.
 */
export function aloneOf(readings: readonly UsersReading[]): Alone | null {
  const few = readings.filter(({ users, meanMs, failed }) => users <= FEW_USERS && meanMs !== null && (users === 1 || failed === 0));
  const leastMs = Math.min(...few.map(({ meanMs }) => meanMs ?? Number.POSITIVE_INFINITY));
  return pooled(few.filter(({ meanMs }) => (meanMs ?? 0) <= AS_ALONE * leastMs));
}

function pooled(readings: readonly UsersReading[]): Alone | null {
  const answers = readings.reduce((sum, { ok }) => sum + ok, 0);
  if (answers === 0) return null;
  const meanMs = readings.reduce((sum, one) => sum + one.ok * (one.meanMs ?? 0), 0) / answers;
  const squares = readings.reduce(
    (sum, one) => sum + one.ok * ((one.standardDeviationMs ?? 0) ** 2 + ((one.meanMs ?? 0) - meanMs) ** 2),
    0,
  );
  const sickSeconds = readings.reduce((sum, one) => sum + one.sickSeconds, 0);
  return { meanMs, standardDeviationMs: Math.sqrt(squares / answers), answers, sickSeconds };
}

/** Whether so many users had to wait for each other, or were turned away. */
export function isFull(reading: UsersReading, alone: Alone): boolean {
  return isTurningAway(reading) || (reading.meanMs ?? Number.POSITIVE_INFINITY) >= WAITING * alone.meanMs;
}

export function isTurningAway({ failed, sent }: Pick<UsersReading, 'failed' | 'sent'>): boolean {
  return sent > 0 && failed / sent > MANY_FAILED;
}

/** What the next run asks with, and for how long. */
export interface UsersLevel {
  readonly users: number;
  readonly startUpSeconds: number;
  readonly seconds: number;
  readonly pauseSeconds: number;
}

/** One user, then twice as many each time, until nothing new can be learned; as many again where this computer did not keep up. null at the end. */
export function nextUsers(
  settings: Pick<CharacterizeSettings, 'maxUsers' | 'secondsEach'>,
  readings: readonly UsersReading[],
): UsersLevel | null {
  const { maxUsers, secondsEach } = settings;
  const last = readings.at(-1);
  if (last === undefined) return { users: 1, startUpSeconds: 0, seconds: secondsEach, pauseSeconds: 0 };
  const alone = aloneOf(readings);
  if (alone === null) return null;
  if (last.users === 1 && alone.answers < LEAST_ALONE && readings.length < 2)
    return { users: 1, startUpSeconds: 0, seconds: lengthOf(LEAST_ALONE + 2, alone.meanMs, secondsEach), pauseSeconds: 0 };
  const isAgain = isToRepeat(last, readings);
  // Whatever follows would be asked in the aftermath.
  if (isTurningAway(last) || standstillOf(readings) !== null || (last.users >= maxUsers && !isAgain)) return null;
  const users = isAgain ? last.users : Math.min(maxUsers, 2 * last.users);
  const pauseMs = Math.min(LONGEST_PAUSE_MS, PAUSE_SHARE * alone.meanMs);
  const expectedMs = isFull(last, alone) ? ((last.meanMs ?? alone.meanMs) * users) / last.users : alone.meanMs;
  return {
    users,
    // So that they do not ask all at once, and there is a queue when counting begins.
    startUpSeconds: Math.max(0.2, (expectedMs + pauseMs) / 1_000),
    seconds: Math.max(lengthOf(ROUNDS, alone.meanMs, secondsEach), lengthOf(WAITS, expectedMs, secondsEach)),
    pauseSeconds: Math.round(pauseMs) / 1_000,
  };
}

/** Only the time of an answer has to be told exactly: where users wait for each other, who answers late is hardly noticed. */
function isToRepeat({ users, sickSeconds, seconds }: UsersReading, readings: readonly UsersReading[]): boolean {
  return users <= FEW_USERS && sickSeconds > MOST_SICK * seconds && readings.filter((one) => one.users === users).length <= MOST_AGAIN;
}

function lengthOf(times: number, ms: number, leastSeconds: number): number {
  return Math.ceil(Math.max(leastSeconds, Math.min(LONGEST_SECONDS, (times * ms) / 1_000)));
}

/** The journey and target of a plan, asked by so many users. */
export function planOfUsers(plan: Plan, { users, startUpSeconds, seconds, pauseSeconds }: UsersLevel): Plan {
  const { demand: _demand, ...rest } = plan;
  return {
    ...rest,
    objectives: [],
    lookAt: [],
    load: {
      model: 'users',
      thinkTime: { kind: 'fixed', seconds: pauseSeconds },
      stages: [{ name: USERS_STAGE, users, startUpSeconds, seconds, restSeconds: 0, counted: true }],
    },
  };
}

/** The middle of some numbers; null of none. */
export function middleOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : medianOf(values.toSorted((a, b) => a - b));
}
