import { answeredRequests, wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { overloadOf } from '#core/result/overload.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import type { TimeMs } from '#core/base/units.ts';
import { freezeIn } from '../freeze.ts';
import type { UsersReading } from './reading.ts';

/** Reads the result of a run with users. Pure: uses only the result. */
export function readUsers(result: RunResult, users: number): UsersReading {
  const [stage] = result.stages;
  const { load } = result.plan;
  if (stage === undefined || load.model !== 'users') throw new TypeError('A run with users has their stage.');
  const pause = load.thinkTime?.kind === 'fixed' ? load.thinkTime.seconds : 0;
  const { requests, rates } = stage;
  const begun = stage.startUp?.requests;
  const good = requests.ok === 0 ? null : (stage.latencyByStatusClass['2xx'] ?? stage.latency.service);
  const bad = stage.latencyByStatusClass['5xx'] ?? null;
  const answered = answeredRequests(requests);
  return {
    kind: 'users',
    users,
    pauseMs: 1_000 * pause,
    seconds: load.stages[0]?.seconds ?? 0,
    sent: requests.sent,
    ok: requests.ok,
    okPerSecond: rates.completedPerSecond === null || answered === 0 ? null : (rates.completedPerSecond * requests.ok) / answered,
    ...timesOf(good),
    failed: wantedRequests(requests) - requests.ok,
    errorAnswers: bad?.count ?? 0,
    errorP50Ms: known(bad?.p50),
    errorP95Ms: known(bad?.p95),
    gatewayTimeouts: stage.status['504'] ?? 0,
    refused: requests.refused,
    reset: requests.reset,
    timeouts: requests.timeout + requests.inFlight,
    connectionsOpened: stage.connectionsOpened,
    reusedConnections: stage.requestsOnReusedConnection,
    startUp: { sent: begun?.sent ?? 0, failed: begun === undefined ? 0 : begun.sent - begun.ok },
    freeze: freezeIn(result),
    overloadedSeconds: overloadOf(result).seconds,
  };
}

function timesOf(good: LatencySummary | null): Pick<UsersReading, 'meanMs' | 'standardDeviationMs' | 'p50Ms' | 'p95Ms' | 'longestMs'> {
  return {
    meanMs: known(good?.mean),
    standardDeviationMs: known(good?.stddev),
    p50Ms: known(good?.p50),
    p95Ms: known(good?.p95),
    longestMs: known(good?.max),
  };
}

function known(time: TimeMs | undefined): number | null {
  return typeof time === 'number' ? time : null;
}
