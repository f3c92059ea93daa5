import type { SelfTestFact } from '#core/measurement/selfTest/report.ts';
import { type Outcome, OUTCOMES } from '#core/measurement/requestOutcomes.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { addInto, countAbove, type Histogram, createTotalHistogram, percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import type { MeasuredLoad } from '../measure.ts';
import type { Truth } from '../server/truth.ts';
import type { Tail } from '../behaviours/behaviour.ts';

/** Returns a fact about a count that must equal the server's count. */
export function countFact(name: string, measured: number, known: number, unit: '' | 'bytes' = ''): SelfTestFact {
  return { name, kind: 'count', unit, measured, known, tolerance: 0, passed: measured === known };
}

/** Returns a fact about a time in µs with a tolerance. A missing time fails. */
export function timeFact(name: string, measuredUs: number | null, knownUs: number | null, toleranceUs: number): SelfTestFact {
  return {
    name,
    kind: 'time',
    unit: 'ms',
    measured: milliseconds(measuredUs),
    known: milliseconds(knownUs),
    tolerance: toleranceUs / 1_000,
    passed: measuredUs !== null && knownUs !== null && Math.abs(measuredUs - knownUs) <= toleranceUs,
  };
}

function milliseconds(valueUs: number | null): number | null {
  return valueUs === null ? null : valueUs / 1_000;
}

const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  ok: 'successful responses',
  httpError: 'responses with an error status',
  wrongBody: 'wrong body',
  timeout: 'timed out',
  refused: 'refused',
  reset: 'reset or cut off',
  noPort: 'no port free',
  noFile: 'no file descriptor free',
  dns: 'name not found',
  tls: 'TLS failed',
  otherError: 'failed otherwise',
  notMade: 'could not be sent',
  neverSent: 'waiting to be sent',
};

/** Returns facts about all counts, compared with the server's log. The counts must be equal even on a busy machine. */
export function countFacts({ cell, inFlight }: MeasuredLoad, truth: Truth): SelfTestFact[] {
  const knownOutcomes = countKnownOutcomes(truth);
  // The server counts each attempt as a request, including the attempts that were repeated.
  const measured = { ...cell.outcomes, reset: (cell.outcomes.reset ?? 0) + cell.requestsResent };
  const responses = (knownOutcomes.ok ?? 0) + (knownOutcomes.httpError ?? 0);
  const times = (cell.times.serviceOk?.totalCount ?? 0) + (cell.times.serviceFailed?.totalCount ?? 0);
  const statuses = [...new Set([...[...cell.statuses.keys()].map(String), ...Object.keys(truth.statuses)])].sort();
  return [
    countFact('requests sent', cell.started + cell.requestsResent, truth.requests),
    ...OUTCOMES.filter((outcome) => (measured[outcome] ?? 0) + (knownOutcomes[outcome] ?? 0) > 0).map((outcome) =>
      countFact(OUTCOME_NAMES[outcome], measured[outcome] ?? 0, knownOutcomes[outcome] ?? 0),
    ),
    countFact('outstanding requests', inFlight, 0),
    ...statuses.map((status) => countFact(`status ${status}`, cell.statuses.get(Number(status)) ?? 0, getOwn(truth.statuses, status) ?? 0)),
    countFact('times recorded', times, responses),
    countFact('connections', cell.connectionsOpened, truth.connections),
    countFact('bytes sent', cell.bytesSent, truth.bytesReceived, 'bytes'),
    countFact('bytes received', cell.bytesReceived, truth.bytesSent, 'bytes'),
    countFact('bytes of bodies', cell.bodyBytes, truth.bodyBytes, 'bytes'),
    countFact('bodies of a different length', cell.bodyLengthDiffers, truth.bodyLengthDiffers),
  ];
}

/** Derives the request outcomes from what the server did. */
function countKnownOutcomes({ statuses, resets, cuts, silences }: Truth): Partial<Record<Outcome, number>> {
  const knownCounts = { ok: 0, httpError: 0, reset: resets + cuts, timeout: silences };
  for (const [status, count] of Object.entries(statuses)) knownCounts[status.startsWith('2') ? 'ok' : 'httpError'] += count;
  return knownCounts;
}

const MAX_DEVIATION_SHARE = 0.02;
const MIN_TOLERANCE_US = 1_000;
const TAIL_SHARE = 0.03;

/**
 * Compares p50 and p90 of the service time with the server's own times. The service time is from the start of a request to the last byte of
 * its response; the server's time is from a request's last byte until the kernel has accepted the response. The service time therefore
 * includes the network. On one machine, the network takes far less than the tolerance, which is 2 % but at least 1 ms.
 */
export function timeFacts({ cell }: MeasuredLoad, { service }: Truth): SelfTestFact[] {
  const times = serviceTimes(cell);
  return [50, 90].map((percentile) => {
    const knownUs = percentileOf(service, percentile);
    return timeFact(`service time p${percentile}`, percentileOf(times, percentile), knownUs, toleranceUs(knownUs ?? 0));
  });
}

/**
 * Checks the effect of a freeze on a closed load, which follows from the schedule: each request that is held takes the length of the freeze
 * plus at most a usual response time.
 */
export function tailFacts({ cell }: MeasuredLoad, { service }: Truth, { lengthUs, usualUs }: Tail): SelfTestFact[] {
  const times = serviceTimes(cell);
  const held = countAbove(times, lengthUs / 2);
  const longestUs = lengthUs + usualUs;
  const middleUs = lengthUs + usualUs / 2;
  const delayedMedianUs = held === 0 ? null : valueAtRank(times, times.totalCount - Math.floor(held / 2));
  return [
    countFact('held by the freeze', held, countAbove(service, lengthUs / 2)),
    timeFact('longest, from the schedule', times.totalCount === 0 ? null : times.maxValue, longestUs, TAIL_SHARE * longestUs),
    timeFact('median of those held, from the schedule', delayedMedianUs, middleUs, TAIL_SHARE * middleUs),
  ];
}

function serviceTimes({ times }: MeasuredLoad['cell']): Histogram {
  const all = createTotalHistogram();
  for (const histogram of [times.serviceOk, times.serviceFailed]) if (histogram) addInto(all, histogram);
  return all;
}

export function percentileOf(histogram: Histogram, percentile: number): number | null {
  return histogram.totalCount === 0 ? null : valueAtRank(histogram, percentileRank(percentile, histogram.totalCount));
}

function toleranceUs(knownUs: number): number {
  return Math.max(MAX_DEVIATION_SHARE * knownUs, MIN_TOLERANCE_US);
}
