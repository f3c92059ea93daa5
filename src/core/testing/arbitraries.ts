import fc from 'fast-check';
import {
  CACHE_COUNTERS,
  CELL_COUNTERS,
  JOURNEY_COUNTERS,
  LOADED_COUNTERS,
  fillRecord,
  SERVER_COUNTERS,
  STREAM_COUNTERS,
} from '#core/measurement/counters.ts';
import { keepEarliest } from '#core/measurement/windowFold.ts';
import { OUTCOMES } from '#core/measurement/requestOutcomes.ts';
import { type Histogram, createHistogram, record } from '#core/statistics/histogram.ts';
import {
  type CacheCount,
  type Cell,
  type LoadedCount,
  OVERLOAD_CAUSES,
  type SideCalls,
  type SideCell,
  type StreamCount,
  TIME_KINDS,
  type Window,
} from '#core/measurement/window.ts';

/** Times in microseconds over the whole range. Most of them are in the range of real response times. */
export const timeUs: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 5_000 }),
  fc.integer({ min: 1_000, max: 2_000_000 }),
  fc.integer({ min: 1, max: 3_600_000_000 }),
);

export const timesUs: fc.Arbitrary<number[]> = fc.array(timeUs, { maxLength: 60 });

export function makeHistogram(values: readonly number[]): Histogram {
  const histogram = createHistogram();
  for (const value of values) record(histogram, value);
  return histogram;
}

const count = fc.nat({ max: 1_000_000 });
const bytes = fc.nat({ max: 10_000_000_000 });

const outcomes = fc.dictionary(fc.constantFrom(...OUTCOMES), count);
const errors = fc.dictionary(fc.constantFrom('ECONNREFUSED@connect', 'ECONNRESET@read', 'ETIMEDOUT@firstByte', 'é–@ü'), count);
const sideCell: fc.Arbitrary<SideCell> = fc.record({ step: fc.nat({ max: 2 }), started: count, outcomes, errors });
const sideCalls: fc.Arbitrary<SideCalls> = fc.record({
  cells: fc.uniqueArray(sideCell, { maxLength: 3, selector: ({ step }) => step }),
  inFlight: count,
});

const plainCell: fc.Arbitrary<Cell> = fc.record({
  stage: fc.nat({ max: 1 }),
  step: fc.nat({ max: 1 }),
  ...fillRecord(CELL_COUNTERS, bytes),
  bodyLengthDeviation: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  outcomes,
  statuses: fc
    .uniqueArray(fc.tuple(fc.constantFrom(200, 302, 404, 500, 503), count), { selector: ([status]) => status })
    .map((counts) => new Map(counts)),
  errors,
  servers: fc.dictionary(fc.constantFrom('shard-1', 'shard-2', '127.0.0.1:8081'), fc.record(fillRecord(SERVER_COUNTERS, count))),
  early: fc
    .array(fc.record({ startUs: count, responseUs: count, ok: fc.boolean() }), { maxLength: 80 })
    .map((answers) => keepEarliest(answers, [])),
  times: fc.dictionary(fc.constantFrom(...TIME_KINDS), timesUs.map(makeHistogram)),
});

const cache: fc.Arbitrary<CacheCount> = fc.record(fillRecord(CACHE_COUNTERS, bytes));
const streams: fc.Arbitrary<StreamCount> = fc.record({
  ...fillRecord(STREAM_COUNTERS, count),
  missed: fc.integer({ min: -1_000, max: 1_000 }),
});
const cell: fc.Arbitrary<Cell> = fc.oneof(
  plainCell,
  fc.tuple(plainCell, cache).map(([plain, counts]) => ({ ...plain, cache: counts })),
  fc.tuple(plainCell, streams).map(([plain, counts]) => ({ ...plain, streams: counts })),
);

const loadedCount: fc.Arbitrary<LoadedCount> = fc.record({
  stage: fc.nat({ max: 1 }),
  step: fc.nat({ max: 1 }),
  ...fillRecord(LOADED_COUNTERS, bytes),
});
const loaded = fc.uniqueArray(loadedCount, { maxLength: 4, selector: ({ stage, step }) => `${stage}/${step}` });

/** Generates any window of one second. Each stage and step occurs at most once in it. */
export function windowAt(second: fc.Arbitrary<number>): fc.Arbitrary<Window> {
  const window: fc.Arbitrary<Window> = fc.record({
    second,
    width: fc.constant(1),
    cells: fc.uniqueArray(cell, { maxLength: 4, selector: ({ stage, step }) => `${stage}/${step}` }),
    loaded,
    journeys: fc.record(fillRecord(JOURNEY_COUNTERS, count)),
    inFlight: count,
    overloadedBy: fc.subarray([...OVERLOAD_CAUSES]),
  });
  return fc.oneof(
    window,
    fc.tuple(window, sideCalls).map(([plain, side]) => ({ ...plain, side })),
  );
}

/** Generates windows of consecutive seconds. Most of them are healthy, so that they can be merged into longer ones. */
export const consecutiveWindows: fc.Arbitrary<Window[]> = fc
  .array(fc.tuple(windowAt(fc.constant(0)), fc.integer({ min: 0, max: 4 })), { maxLength: 25 })
  .map((windows) => windows.map(([window, dice], second) => ({ ...window, second, overloadedBy: dice === 0 ? window.overloadedBy : [] })));
