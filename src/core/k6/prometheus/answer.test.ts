import { expect, it } from 'vitest';
import { prometheusAnswerSchema, seriesOf } from './answer.ts';

it('leaves out numbers that no run counts, which cannot be added up', () => {
  const histogram = (count: string, inBucket: string) => [7, { count, sum: '1', buckets: [[0, '0', '1', inBucket]] }];
  const answer = prometheusAnswerSchema.parse({
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
  expect(seriesOf(answer)).toMatchObject([
    { samples: [{ at: 1, value: 5 }], histograms: [{ at: 7, count: 3, buckets: [{ lower: 0, upper: 1, count: 3 }] }] },
  ]);
  expect(seriesOf(answer)[0]?.histograms).toHaveLength(1);
});
