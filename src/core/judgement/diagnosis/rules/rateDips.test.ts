import { expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { played, saidBy } from '../testing/found.ts';

/** Levels one after the other, 10 s each, of which the second meets a cold cache: four times as long. */
const run = (levels: readonly number[], coldMs: number) =>
  played(planWith({ load: stages(...levels.map((connections) => ({ connections, seconds: 10 }))) }), {
    workers: Infinity,
    serviceMs: (_random, _n, second) => (second >= 10 && second < 20 ? coldMs : 100),
  });

it('tells of the level that got less than lighter and heavier ones', () => {
  const [finding] = saidBy('rateDips', run([5, 8, 10], 400));
  expect(finding).toMatchObject({ level: 'warning', range: { fromSecond: 10, toSecond: 20 } });
  expect(finding?.sentence).toMatch(/“stage 2” got \d+/);
});

it('says nothing where more load gets more, or less and less', () => {
  expect(saidBy('rateDips', run([5, 8, 10], 100))).toEqual([]);
  expect(saidBy('rateDips', run([10, 8], 400))).toEqual([]);
});
