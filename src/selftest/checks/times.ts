import { countAbove, newTotalHistogram, addInto, percentileRank, valueAtRank, type Histogram } from '#core/statistics/histogram.ts';
import type { SelfTestFact } from '#core/measurement/selfTest/report.ts';
import type { Tail } from '../behaviours/behaviour.ts';
import type { Measured } from '../measure.ts';
import type { Truth } from '../server/truth.ts';
import { countFact, timeFact } from './fact.ts';

const SHARE = 0.02;
const LEAST_US = 1_000;
const TAIL_SHARE = 0.03;

/**
 * p50 and p90 of the service time (from the start of a request to the last byte of its answer) beside the same percentiles of
 * the server's own times (from a request's last byte to the moment the kernel took its answer). The engine's include the way
 * there and back, which on one machine is far below the allowed difference of 2 %, at least 1 ms.
 */
export function timeFacts({ cell }: Measured, { service }: Truth): SelfTestFact[] {
  const times = serviceTimes(cell);
  return [50, 90].map((percentile) => {
    const knownUs = percentileOf(service, percentile);
    return timeFact(`service time p${percentile}`, percentileOf(times, percentile), knownUs, toleranceUs(knownUs ?? 0));
  });
}

/**
 * What a freeze does to a closed load follows from its schedule: each request that it holds lasts the freeze, and up to a
 * usual answer's time longer.
 */
export function tailFacts({ cell }: Measured, { service }: Truth, { lengthUs, usualUs }: Tail): SelfTestFact[] {
  const times = serviceTimes(cell);
  const held = countAbove(times, lengthUs / 2);
  const longestUs = lengthUs + usualUs;
  const middleUs = lengthUs + usualUs / 2;
  const heldMedianUs = held === 0 ? null : valueAtRank(times, times.totalCount - Math.floor(held / 2));
  return [
    countFact('held by the freeze', held, countAbove(service, lengthUs / 2)),
    timeFact('longest, by the schedule', times.totalCount === 0 ? null : times.maxValue, longestUs, TAIL_SHARE * longestUs),
    timeFact('median of those held, by the schedule', heldMedianUs, middleUs, TAIL_SHARE * middleUs),
  ];
}

function serviceTimes({ times }: Measured['cell']): Histogram {
  const all = newTotalHistogram();
  for (const histogram of [times.serviceOk, times.serviceFailed]) if (histogram) addInto(all, histogram);
  return all;
}

export function percentileOf(histogram: Histogram, percentile: number): number | null {
  return histogram.totalCount === 0 ? null : valueAtRank(histogram, percentileRank(percentile, histogram.totalCount));
}

function toleranceUs(knownUs: number): number {
  return Math.max(SHARE * knownUs, LEAST_US);
}
