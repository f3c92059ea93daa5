import { countResponses, emptyRequestOutcomes, REQUEST_COUNTERS, type RequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import type { TimeMs } from '#core/base/units.ts';

/** Row of ApacheBench's table of connection times, in ms. A value is null if the driver cannot see it. */
export interface AbTimes {
  readonly min: TimeMs;
  readonly mean: TimeMs;
  readonly stddev: TimeMs;
  readonly median: TimeMs;
  readonly max: TimeMs;
}

/** Figures of ApacheBench's report that its own definitions make different from Holdfast's. */
export interface AbTable {
  readonly connect: AbTimes;
  readonly processing: AbTimes;
  readonly waiting: AbTimes;
  readonly total: AbTimes;
  readonly complete: number;
  readonly failed: {
    readonly total: number;
    readonly connect: number;
    readonly receive: number;
    readonly length: number;
    readonly exceptions: number;
  };
  readonly non2xx: number;
  readonly takenSeconds: number | null;
}

const UNKNOWN_TIMES: AbTimes = { min: null, mean: null, stddev: null, median: null, max: null };

/**
 * Returns the figures. ApacheBench counts each response whose length differs from the first one as failed, but not responses with a status
 * other than 2xx. Its "Failed requests" are therefore not Holdfast's failures.
 */
export function abTable(result: RunResult): AbTable {
  const requests = countedOutcomes(result);
  const complete = countResponses(requests);
  const total = abTimes(result.latency.service);
  const connect = connectTimes(result, complete);
  const failures = {
    connect: requests.refused + requests.noPort + requests.noFile + requests.dns + requests.tls,
    receive: requests.reset,
    length: result.bodyLength.differs,
    exceptions: requests.timeout + requests.otherError + requests.notMade,
  };
  const perSecond = result.rates.completedPerSecond;
  return {
    connect,
    processing: processingTimes(total, connect),
    waiting: result.phases.firstByte === null ? UNKNOWN_TIMES : abTimes(result.phases.firstByte),
    total,
    complete,
    failed: { ...failures, total: failures.connect + failures.receive + failures.length + failures.exceptions },
    non2xx: Object.entries(result.status).reduce((sum, [status, count]) => (status.startsWith('2') ? sum : sum + count), 0),
    takenSeconds: perSecond !== null && perSecond > 0 ? result.latency.service.count / perSecond : result.durationSeconds,
  };
}

/** Sums the outcomes of the counted stages. The totals of the run include its warm-up. */
function countedOutcomes({ steps }: RunResult): RequestOutcomes {
  const sum = emptyRequestOutcomes();
  for (const { requests } of steps) for (const name of REQUEST_COUNTERS) sum[name] += requests[name];
  return sum;
}

function abTimes({ min, mean, stddev, p50, max }: LatencySummary): AbTimes {
  return { min, mean, stddev, median: p50, max };
}

/**
 * Returns the connect times of all requests as ApacheBench counts them: 0 ms on an open connection. A mixture of k connects with mean m and
 * deviation s among n requests has the mean km/n and the deviation √(k(s² + m²)/n − (km/n)²).
 */
function connectTimes(result: RunResult, complete: number): AbTimes {
  const { connect } = result.phases;
  if (connect === null || typeof connect.mean !== 'number' || complete === 0) return UNKNOWN_TIMES;
  if (result.requestsOnReusedConnection === 0) return abTimes(connect);
  const share = Math.min(1, (complete - result.requestsOnReusedConnection) / complete);
  const deviation = typeof connect.stddev === 'number' ? connect.stddev : 0;
  const mean = share * connect.mean;
  return {
    min: 0,
    mean,
    stddev: Math.sqrt(Math.max(0, share * (deviation ** 2 + connect.mean ** 2) - mean ** 2)),
    median: share > 0.5 ? connect.p50 : 0,
    max: connect.max,
  };
}

/**
 * Returns the total minus the connect time of each request. It is known if connecting took almost no time; otherwise, only its mean is
 * known.
 */
function processingTimes(total: AbTimes, connect: AbTimes): AbTimes {
  if (typeof connect.max === 'number' && connect.max < 0.5) return total;
  if (typeof total.mean !== 'number' || typeof connect.mean !== 'number') return UNKNOWN_TIMES;
  return { ...UNKNOWN_TIMES, mean: Math.max(0, total.mean - connect.mean) };
}

/** Returns the number of connections or users. For arrivals, returns the maximum in flight, because the plan sets no number. */
export function maxConcurrency({ stages, windows }: RunResult): number {
  const set = stages.flatMap(({ level }) => (level.unit === 'arrivalsPerSecond' ? [] : [level.highest]));
  return Math.max(0, ...(set.length > 0 ? set : windows.map(({ inFlight }) => inFlight)));
}

/**
 * Returns ApacheBench's mean time per request in ms: concurrency / rate. It is the time of a request only if each connection sends its next
 * request after a response. Returns null for users with pauses and for arrivals.
 */
export function meanTimePerRequest(result: RunResult): number | null {
  const perSecond = result.rates.completedPerSecond;
  if (result.plan.load.model !== 'connections' || perSecond === null || perSecond === 0) return null;
  return (maxConcurrency(result) * 1_000) / perSecond;
}
