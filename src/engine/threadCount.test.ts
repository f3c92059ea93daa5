import { describe, expect, it } from 'vitest';
import { jobOf } from './testing/runLoad.ts';
import { threadCount } from './threadCount.ts';

const plan = (connections: number, threads?: number): Parameters<typeof threadCount>[0] =>
  jobOf(['http://127.0.0.1/'], {
    load: {
      model: 'connections',
      stages: [
        { connections: 1, seconds: 1 },
        { connections, seconds: 1 },
      ],
    },
    ...(threads === undefined ? {} : { threads }),
  }).plan;

describe('the number of worker threads', () => {
  it.each([
    [50, undefined, 8, 7],
    [50, undefined, 1, 1],
    [3, undefined, 8, 3],
    [50, 4, 2, 4],
    [2, 4, 8, 2],
  ])('for %s connections, %s threads wished and %s cores is %s', (connections, wished, cores, expected) => {
    expect(threadCount(plan(connections, wished), cores)).toBe(expected);
  });
});
