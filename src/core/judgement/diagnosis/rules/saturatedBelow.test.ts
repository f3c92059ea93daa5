import { expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { played, saidBy } from '../testing/found.ts';

const run = (levels: readonly number[], workers: number) =>
  played(planWith({ load: stages(...levels.map((connections) => ({ connections, seconds: 12 }))) }), { workers, serviceMs: () => 100 });

it('says that the lightest level was already more than it can do', () => {
  const [finding] = saidBy('saturatedBelow', run([40, 80, 160], 4));
  expect(finding).toMatchObject({
    level: 'warning',
    range: { fromSecond: 0, toSecond: 36 },
    remedy: expect.stringContaining('from 5 connections on'),
  });
  expect(finding?.sentence).toContain('lies below 40');
  expect(finding?.figures).toHaveLength(3);
});

it('calls a server that works on one at a time so', () => {
  expect(saidBy('saturatedBelow', run([1, 4, 8], 1))[0]).toMatchObject({
    level: 'info',
    sentence: expect.stringContaining('one request at a time'),
  });
});

it('says nothing where rates still grow, of one level, and of levels that differ little', () => {
  expect(saidBy('saturatedBelow', run([2, 4, 16], 8))).toEqual([]);
  expect(saidBy('saturatedBelow', run([40], 4))).toEqual([]);
  expect(saidBy('saturatedBelow', run([40, 60], 4))).toEqual([]);
});
