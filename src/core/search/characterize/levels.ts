import type { Plan } from '#core/plan/schema/plan.ts';
import { medianOf } from '#core/statistics/trend.ts';
import type { UsersReading } from './reading.ts';
import { findStandstill } from './standstill.ts';
import type { CharacterizeSettings } from './schema.ts';

/** Name of the counted stage of the runs with users. */
export const USERS_STAGE = 'users';
/** Think time as a share of the response time. Without it, refused requests would be sent again without a pause. */
const PAUSE_SHARE = 0.1;
const MAX_PAUSE_MS = 1_000;
/** Length of a run in unloaded response times. It is long enough for whole rounds of the workers to count. */
const RUN_RESPONSE_TIMES = 12;
const RUN_WAITS = 5;
const MAX_SECONDS = 60;
/** Minimum ratio to the unloaded time at which responses wait for others. */
export const MIN_WAITING_RATIO = 1.5;
/** Maximum share of failures that does not show a limit of the server. */
export const MAX_TOLERATED_FAILURE_SHARE = 0.05;
/** Minimum number of a single user's responses for a service time. */
const MIN_UNLOADED_RESPONSES = 8;
/** Maximum number of users whose times may be unloaded, because hardly any server processes fewer requests at once. */
const MAX_UNLOADED_USERS = 4;
const MAX_UNLOADED_RATIO = 1.05;
/**
 * Maximum share of a run's time in which this computer may be overloaded. A run with few users that exceeds it is repeated, up to a maximum
 * number of times.
 */
const MAX_OVERLOADED_SHARE = 1 / 3;
const MAX_REPEATS = 2;

/** Unloaded response time in ms: mean, standard deviation and number of successful responses. */
export interface UnloadedTime {
  readonly meanMs: number;
  readonly standardDeviationMs: number;
  readonly responses: number;
  /** Overloaded seconds of this computer in these runs. */
  readonly overloadedSeconds: number;
}

/**
 * Returns the unloaded time from the runs with one, two and four users: the quickest run and those within 5 % of it. The first run may
 * include loading code, and if there are more users than workers, they wait for each other. Returns null if there are no successful
 * responses.
 */
export function measureUnloadedTime(readings: readonly UsersReading[]): UnloadedTime | null {
  const few = readings.filter(
    ({ users, meanMs, failed }) => users <= MAX_UNLOADED_USERS && meanMs !== null && (users === 1 || failed === 0),
  );
  const leastMs = Math.min(...few.map(({ meanMs }) => meanMs ?? Number.POSITIVE_INFINITY));
  return poolReadings(few.filter(({ meanMs }) => (meanMs ?? 0) <= MAX_UNLOADED_RATIO * leastMs));
}

function poolReadings(readings: readonly UsersReading[]): UnloadedTime | null {
  const responses = readings.reduce((sum, { ok }) => sum + ok, 0);
  if (responses === 0) return null;
  const meanMs = readings.reduce((sum, one) => sum + one.ok * (one.meanMs ?? 0), 0) / responses;
  const squares = readings.reduce(
    (sum, one) => sum + one.ok * ((one.standardDeviationMs ?? 0) ** 2 + ((one.meanMs ?? 0) - meanMs) ** 2),
    0,
  );
  const overloadedSeconds = readings.reduce((sum, one) => sum + one.overloadedSeconds, 0);
  return { meanMs, standardDeviationMs: Math.sqrt(squares / responses), responses, overloadedSeconds };
}

/** Returns whether users waited for each other or were rejected. */
export function isFull(reading: UsersReading, unloaded: UnloadedTime): boolean {
  return isRejecting(reading) || (reading.meanMs ?? Number.POSITIVE_INFINITY) >= MIN_WAITING_RATIO * unloaded.meanMs;
}

export function isRejecting({ failed, sent }: Pick<UsersReading, 'failed' | 'sent'>): boolean {
  return sent > 0 && failed / sent > MAX_TOLERATED_FAILURE_SHARE;
}

/** Load of the next run. */
export interface UsersLevel {
  readonly users: number;
  readonly startUpSeconds: number;
  readonly seconds: number;
  readonly pauseSeconds: number;
}

/**
 * Returns the next number of users: one, then twice as many each time. A number is repeated if this computer was overloaded. Returns null
 * at the end.
 */
export function chooseNextUsers(
  settings: Pick<CharacterizeSettings, 'maxUsers' | 'secondsEach'>,
  readings: readonly UsersReading[],
): UsersLevel | null {
  const { maxUsers, secondsEach } = settings;
  const last = readings.at(-1);
  if (last === undefined) return { users: 1, startUpSeconds: 0, seconds: secondsEach, pauseSeconds: 0 };
  const unloaded = measureUnloadedTime(readings);
  if (unloaded === null) return null;
  if (last.users === 1 && unloaded.responses < MIN_UNLOADED_RESPONSES && readings.length < 2)
    return { users: 1, startUpSeconds: 0, seconds: lengthOf(MIN_UNLOADED_RESPONSES + 2, unloaded.meanMs, secondsEach), pauseSeconds: 0 };
  const isAgain = isToRepeat(last, readings);
  // A further run would fall into the aftermath.
  if (isRejecting(last) || findStandstill(readings) !== null || (last.users >= maxUsers && !isAgain)) return null;
  const users = isAgain ? last.users : Math.min(maxUsers, 2 * last.users);
  const pauseMs = Math.min(MAX_PAUSE_MS, PAUSE_SHARE * unloaded.meanMs);
  const expectedMs = isFull(last, unloaded) ? ((last.meanMs ?? unloaded.meanMs) * users) / last.users : unloaded.meanMs;
  return {
    users,
    // Long enough to spread the starts over one journey, so that the queue has already formed when counting begins.
    startUpSeconds: Math.max(0.2, (expectedMs + pauseMs) / 1_000),
    seconds: Math.max(lengthOf(RUN_RESPONSE_TIMES, unloaded.meanMs, secondsEach), lengthOf(RUN_WAITS, expectedMs, secondsEach)),
    pauseSeconds: Math.round(pauseMs) / 1_000,
  };
}

/**
 * Returns whether a run must be repeated. Only the unloaded time must be exact: if users wait for each other, late sending hardly matters.
 */
function isToRepeat({ users, overloadedSeconds, seconds }: UsersReading, readings: readonly UsersReading[]): boolean {
  return (
    users <= MAX_UNLOADED_USERS &&
    overloadedSeconds > MAX_OVERLOADED_SHARE * seconds &&
    readings.filter((one) => one.users === users).length <= MAX_REPEATS
  );
}

function lengthOf(times: number, ms: number, leastSeconds: number): number {
  return Math.ceil(Math.max(leastSeconds, Math.min(MAX_SECONDS, (times * ms) / 1_000)));
}

/** Returns the plan's journey and target with the users of a level. */
export function planOfUsers(plan: Plan, { users, startUpSeconds, seconds, pauseSeconds }: UsersLevel): Plan {
  const { demand: _demand, ...rest } = plan;
  return {
    ...rest,
    criteria: [],
    lookAt: [],
    load: {
      model: 'users',
      thinkTime: { kind: 'fixed', seconds: pauseSeconds },
      stages: [{ name: USERS_STAGE, users, startUpSeconds, seconds, restSeconds: 0, counted: true }],
    },
  };
}

/** Returns the median; null if there are no values. */
export function middleOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : medianOf(values.toSorted((a, b) => a - b));
}
