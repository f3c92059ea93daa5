import { facts, healthyStep, point, postgresThatReads } from '#core/judgement/diagnosis/testing/facts.ts';
import type { MeasuredRun } from '#core/judgement/diagnosis/rule.ts';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { planWith } from '#core/testing/plans.ts';
import { planOfUsers, type UsersLevel, USERS_STAGE } from '../levels.ts';
import { readUsers, type UsersReading } from '../reading.ts';

/**
 * A second of a run: when it began, the requests that started, that ended and that were in flight at its end, and the longest time of those
 * that ended.
 */
type Second = readonly [second: number, started: number, ended: number, inFlight: number, maxMs: number | null];

interface MeasuredUsers extends UsersLevel {
  readonly seconds: number;
  /** Number of requests sent in the counted time, then number of those sent before it. */
  readonly sent: number;
  readonly startUpSent: number;
  readonly times: LatencySummary;
  /** Seconds of the run. Omitted seconds are like the previous one, but no requests started or ended in them. */
  readonly windows: readonly Second[];
}

const NO_TIMES: LatencySummary = {
  count: 0,
  min: null,
  mean: null,
  stddev: null,
  p50: null,
  p66: null,
  p75: null,
  p80: null,
  p90: null,
  p95: null,
  p98: null,
  p99: null,
  p99_9: null,
  max: null,
};

/**
 * A contest system with two servers, each with a pool of 15 database connections and a wait of 60 s. The figures were measured with 32 and
 * with 64 users.
 */
const WITH_32: MeasuredUsers = {
  users: 32,
  startUpSeconds: 0.316,
  seconds: 3,
  pauseSeconds: 0.004,
  sent: 354,
  startUpSent: 47,
  times: {
    ...NO_TIMES,
    count: 354,
    min: 38.8,
    mean: 4_480,
    stddev: 15_300,
    p50: 244,
    p95: 60_100,
    p99: 60_100,
    max: 60_100,
  },
  windows: [
    [0, 126, 94, 32, 428],
    [1, 121, 122, 31, 425],
    [2, 125, 124, 32, 456],
    [3, 29, 36, 25, 608],
    [62, 0, 6, 19, 60_000],
    [63, 0, 19, 0, 60_100],
  ],
};

const WITH_64: MeasuredUsers = {
  users: 64,
  startUpSeconds: 8.964,
  seconds: 45,
  pauseSeconds: 0.004,
  sent: 0,
  startUpSent: 314,
  times: NO_TIMES,
  windows: [
    [0, 59, 51, 8, 131],
    [1, 86, 79, 15, 204],
    [2, 98, 92, 21, 285],
    [3, 29, 21, 29, 355],
    [4, 7, 0, 36, null],
    [5, 7, 0, 43, null],
    [6, 7, 0, 50, null],
    [7, 8, 0, 58, null],
    [8, 13, 7, 64, 24.5],
    [63, 0, 29, 35, 60_400],
    [64, 0, 7, 28, 60_000],
    [65, 0, 7, 21, 60_000],
    [66, 0, 7, 14, 60_000],
    [67, 0, 7, 7, 60_000],
    [68, 0, 7, 0, 60_000],
  ],
};

function makeWindows(seconds: readonly Second[]): MeasuredRun['windows'] {
  const last = seconds.at(-1)?.[0] ?? 0;
  let inFlight = 0;
  return Array.from({ length: last + 1 }, (_unused, second) => {
    const [, started = 0, ended = 0, left = inFlight, max = null] = seconds.find(([at]) => at === second) ?? [];
    inFlight = left;
    return point(second, { started, completed: ended, ok: ended, inFlight, max });
  });
}

function listOutcomes(sent: number) {
  return { ...emptyRequestOutcomes(), sent, ok: sent };
}

/** Returns those parts of the result that are read, optionally with figures of a PostgreSQL monitor for a pool of 5 + 10. */
function buildResult(measured: MeasuredUsers, plan: Plan, isWatched: boolean): RunResult {
  const { users, startUpSeconds, seconds, sent, startUpSent, times, windows } = measured;
  const points = makeWindows(windows);
  const step = healthyStep({
    requests: listOutcomes(sent),
    latency: { service: times, response: times, errorAdjusted: times },
    latencyByStatusClass: sent === 0 ? {} : { '2xx': times },
    rates: { startedPerSecond: sent / seconds, completedPerSecond: sent / seconds, bytesPerSecond: 0 },
    status: sent === 0 ? {} : { '200': sent },
  });
  const run = facts(step, { plan: planOfUsers(plan, measured), windows: points, durationSeconds: points.length });
  const isHeld = (second: number): boolean => second >= 4 && second < 62;
  const monitor = postgresThatReads(points.length, {
    connections: (second) => (isHeld(second) ? 16 : 6),
    active: () => 1,
    idle: (second) => (isHeld(second) ? 0 : 5),
    idleInTransaction: (second) => (isHeld(second) ? 15 : 0),
    locked: () => 0,
    longest: (second) => (isHeld(second) ? 1_000 * (second - 3) : 0),
  });
  const [stage] = run.stages;
  if (stage === undefined) throw new TypeError('A run has a stage.');
  return {
    ...run,
    stages: [
      {
        ...stage,
        name: USERS_STAGE,
        level: { unit: 'users', from: users, to: users, highest: users },
        startUp: { requests: listOutcomes(startUpSent), status: { '200': startUpSent }, errors: {} },
        startedAtSecond: startUpSeconds,
        endedAtSecond: startUpSeconds + seconds,
      },
    ],
    monitors: isWatched ? [monitor] : [],
    criteria: [],
    verdict: { outcome: 'measured', headline: '', sentence: '', reasons: [], exercised: [], notExercised: [], next: [] },
    findings: [],
  };
}

/** Returns the reading of the run with 32 users, which froze after its counted time. */
export function frozenWith32(plan = planWith(), isWatched = false): UsersReading {
  return readUsers(buildResult(WITH_32, plan, isWatched), 32);
}

/** Returns the reading of the run with 64 users, which froze before and during its counted time. */
export function frozenWith64(): UsersReading {
  return readUsers(buildResult(WITH_64, planWith(), false), 64);
}

/** Returns readings of the same server with 1 to 16 users. */
export function calmReadings(): UsersReading[] {
  return (
    [
      [1, 75, 24.7, 40.1, 22.5, 62],
      [2, 90, 30, 62.8, 3, 67.8],
      [4, 177, 59, 63.9, 6, 78.9],
      [8, 293, 97.7, 77.5, 15, 108],
      [16, 295, 98.4, 156, 60, 283],
    ] as const
  ).map(([users, ok, okPerSecond, meanMs, standardDeviationMs, p95Ms]) =>
    calmReading(users, { sent: ok, ok, okPerSecond, meanMs, standardDeviationMs, p50Ms: meanMs, p95Ms, longestMs: p95Ms }),
  );
}

/** Returns the reading of `users` users with 10 responses of 100 ms per second and user. */
export function calmReading(users: number, changes: Partial<UsersReading> = {}): UsersReading {
  return {
    kind: 'users',
    users,
    pauseMs: 10,
    seconds: 3,
    sent: 30 * users,
    ok: 30 * users,
    okPerSecond: 10 * users,
    meanMs: 100,
    standardDeviationMs: 1,
    p50Ms: 100,
    p95Ms: 101,
    longestMs: 102,
    failed: 0,
    errorResponses: 0,
    errorP50Ms: null,
    errorP95Ms: null,
    gatewayTimeouts: 0,
    refused: 0,
    reset: 0,
    timeouts: 0,
    connectionsOpened: users,
    reusedConnections: 20,
    startUp: { sent: 0, failed: 0 },
    freeze: null,
    overloadedSeconds: 0,
    ...changes,
  };
}
