import { describe, expect, it } from 'vitest';
import { addInto, type Histogram, createHistogram, createTotalHistogram, record } from '#core/statistics/histogram.ts';
import { SparseHistogram } from '#core/statistics/sparseHistogram.ts';
import {
  responseCount,
  countEnded,
  goodTimes,
  countRequestOutcomes,
  responseTimes,
  countSent,
  serviceTimes,
  timesByStatusClass,
  mergeTimes,
} from './cellFigures.ts';
import type { Cell } from './window.ts';
import { emptyCell } from './windowFold.ts';

function times(...microseconds: readonly number[]): Histogram {
  const histogram = createHistogram();
  for (const time of microseconds) record(histogram, time);
  return histogram;
}

function sparse(...microseconds: readonly number[]): SparseHistogram {
  const histogram = new SparseHistogram();
  addInto(histogram, times(...microseconds));
  return histogram;
}

const cell = (changes: Partial<Cell>): Cell => ({ ...emptyCell(0, 0), ...changes });
const spread = (histogram: Histogram | undefined): unknown =>
  histogram && [histogram.totalCount, histogram.minNonZeroValue, histogram.maxValue];

describe('counts of a cell', () => {
  const mixed = cell({ started: 20, outcomes: { ok: 9, httpError: 3, wrongBody: 2, timeout: 1, notMade: 4 } });

  it('count ended requests, requests with a response, and sent requests', () => {
    expect([countEnded(mixed), responseCount(mixed), countSent(mixed)]).toEqual([19, 14, 16]);
    expect([countEnded(cell({})), responseCount(cell({})), countSent(cell({ started: 3 }))]).toEqual([0, 0, 3]);
  });

  it('add up to request outcomes over cells', () => {
    const outcomes = countRequestOutcomes([mixed, cell({ started: 2, outcomes: { ok: 1, reset: 1 } })], 7);
    expect(outcomes).toMatchObject({ sent: 18, ok: 10, httpError: 3, wrongBody: 2, timeout: 1, reset: 1, notMade: 4, inFlight: 7, tls: 0 });
  });
});

describe('times of a cell', () => {
  it('include only recorded kinds', () => {
    const both = cell({ times: { serviceOk: times(1_000, 2_000), serviceFailed: times(9_000) } });
    expect(mergeTimes(both)).toBeUndefined();
    expect(mergeTimes(both, 'responseOk')).toBeUndefined();
    expect(mergeTimes(both, 'serviceOk', 'responseOk')).toBe(both.times.serviceOk);
    expect(spread(serviceTimes(both))).toEqual(spread(times(1_000, 2_000, 9_000)));
    expect(both.times.serviceOk?.totalCount).toBe(2);
  });

  it('stay sparse only if all of their parts are sparse', () => {
    const few = cell({ times: { serviceOk: sparse(1_000), serviceFailed: sparse(3_000) } });
    expect(serviceTimes(few)).toBeInstanceOf(SparseHistogram);
    expect(serviceTimes(few)?.totalCount).toBe(2);
    const mixed = cell({ times: { serviceOk: sparse(1_000), serviceFailed: createTotalHistogram() } });
    expect(serviceTimes(mixed)).not.toBeInstanceOf(SparseHistogram);
    expect(serviceTimes(mixed)?.totalCount).toBe(1);
  });

  it('are response times if the load model records these, or else service times', () => {
    const plain = cell({ times: { serviceOk: times(1_000), serviceFailed: times(2_000) } });
    const paced = cell({ times: { ...plain.times, responseOk: times(5_000), responseFailed: times(7_000, 8_000) } });
    expect(spread(responseTimes(plain))).toEqual(spread(times(1_000, 2_000)));
    expect(spread(responseTimes(paced))).toEqual(spread(times(5_000, 7_000, 8_000)));
    expect(goodTimes(plain)).toBe(plain.times.serviceOk);
    expect(goodTimes(paced)).toBe(paced.times.responseOk);
  });

  it('of the class 2xx are the times that no other class has', () => {
    const responded = cell({
      times: {
        serviceOk: times(1_000, 1_100),
        serviceFailed: times(4_000, 6_000),
        service4xx: times(4_000),
        service5xx: times(6_000),
        service3xx: times(),
      },
    });
    expect(timesByStatusClass(responded).map(([name, histogram]) => [name, histogram.totalCount])).toEqual([
      ['2xx', 2],
      ['4xx', 1],
      ['5xx', 1],
    ]);
    const onlyFailed = cell({ times: { serviceFailed: times(4_000), service4xx: times(4_000) } });
    expect(timesByStatusClass(onlyFailed).map(([name]) => name)).toEqual(['4xx']);
    expect(timesByStatusClass(cell({ times: { service1xx: times(1_000) } })).map(([name]) => name)).toEqual(['1xx']);
    expect(timesByStatusClass(cell({}))).toEqual([]);
  });
});
