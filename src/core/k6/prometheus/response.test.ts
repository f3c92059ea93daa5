import { describe, expect, it } from 'vitest';
import { listHistogramIncreases, listIncreases, prometheusResponseSchema, readSeries } from './response.ts';

it('readSeries: leaves out numbers too large to add', () => {
  const histogram = (count: string, inBucket: string) => [7, { count, sum: '1', buckets: [[0, '0', '1', inBucket]] }];
  const response = prometheusResponseSchema.parse({
    status: 'success',
    data: {
      resultType: 'matrix',
      result: [
        {
          metric: { __name__: 'k6_http_reqs_total' },
          values: [
            [1, '5'],
            [2, '1e999'],
            [3, 'NaN'],
            [4, '-Inf'],
          ],
          histograms: [histogram('3', '3'), histogram('3', '1e999'), histogram('-3', '3'), histogram('1e300', '3')],
        },
      ],
    },
  });
  expect(readSeries(response)).toMatchObject([
    { samples: [{ at: 1, value: 5 }], histograms: [{ at: 7, count: 3, buckets: [{ lower: 0, upper: 1, count: 3 }] }] },
  ]);
  expect(readSeries(response)[0]?.histograms).toHaveLength(1);
});

describe('increases of counters', () => {
  it('start at 0 and restart after a counter reset', () => {
    const samples = [3, 3, 10, 2].map((value, index) => ({ at: index, value }));
    expect(listIncreases({ samples })).toEqual([
      { at: 0, by: 3 },
      { at: 2, by: 7 },
      { at: 3, by: 2 },
    ]);
  });

  it('convert cumulative buckets to counts per bucket', () => {
    const histograms = [
      {
        at: 0,
        count: 3,
        buckets: [
          { lower: 1, upper: 2, count: 2 },
          { lower: 2, upper: 4, count: 1 },
        ],
      },
      {
        at: 5,
        count: 9,
        buckets: [
          { lower: 1, upper: 4, count: 5 },
          { lower: 4, upper: 16, count: 4 },
        ],
      },
    ];
    expect(listHistogramIncreases({ histograms })[1]).toEqual({
      at: 5,
      buckets: [
        { lower: 1, upper: 4, count: 2 },
        { lower: 4, upper: 16, count: 4 },
      ],
    });
  });

  it('keep zeros in their own bucket', () => {
    const zero = { lower: -1e-39, upper: 1e-39 };
    const histograms = [
      { at: 0, count: 3, buckets: [{ ...zero, count: 3 }] },
      {
        at: 5,
        count: 7,
        buckets: [
          { ...zero, count: 6 },
          { lower: 1, upper: 2, count: 1 },
        ],
      },
    ];
    expect(listHistogramIncreases({ histograms })[1]?.buckets).toEqual([
      { ...zero, count: 3 },
      { lower: 1, upper: 2, count: 1 },
    ]);
  });
});
