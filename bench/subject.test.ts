import { expect, it } from 'vitest';
import { parseWrk } from './subject.ts';
import { median } from './table.ts';

it("reads wrk's figures in whatever unit they stand", () => {
  const output = `Running 2s test @ http://127.0.0.1:1/
  Latency Distribution
     50%   21.03ms
     75%   22.00ms
     99%    1.02s 
  240 requests in 2.00m, 40.10KB read
  Socket errors: connect 0, read 1, write 0, timeout 0
`;
  expect(parseWrk(output)).toEqual({
    answers: 240,
    seconds: 120,
    p50Ms: 21.03,
    p99Ms: 1_020,
    note: 'Socket errors: connect 0, read 1, write 0, timeout 0',
  });
});

it('takes the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});
