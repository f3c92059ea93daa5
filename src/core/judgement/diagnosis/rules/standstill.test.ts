import { expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { unknownReading } from '#core/result/readings.ts';
import { played, findingsBy } from '../testing/found.ts';
import { diagnose } from '../diagnose.ts';
import { facts, generatorThatReads, healthyStep } from '../testing/facts.ts';

/** Returns a run with levels of 10 s each. The second level meets a cold cache and is four times as slow. */
const run = (levels: readonly number[], coldMs: number) =>
  played(planWith({ load: stages(...levels.map((connections) => ({ connections, seconds: 10 }))) }), {
    workers: Infinity,
    serviceMs: (_random, _n, second) => (second >= 10 && second < 20 ? coldMs : 100),
  });

it('rateDips: reports the level with less throughput than lighter and heavier ones', () => {
  const [finding] = findingsBy('rateDips', run([5, 8, 10], 400));
  expect(finding).toMatchObject({ level: 'warning', range: { fromSecond: 10, toSecond: 20 } });
  expect(finding?.sentence).toMatch(/not steady: [\d.]+\/s in “stage 2”/);
});

it('rateDips: ignores throughput that only grows, or only falls', () => {
  expect(findingsBy('rateDips', run([5, 8, 10], 100))).toEqual([]);
  expect(findingsBy('rateDips', run([10, 8], 400))).toEqual([]);
});

/** Returns the findings for a load generator that stood still for the given milliseconds in each second. */
function found(...stoodStillMs: readonly (number | null)[]) {
  const readings = stoodStillMs.map((ms, second) => ({ ...unknownReading(second), stoodStillMs: ms }));
  const given = facts(healthyStep(), { generators: [{ ...generatorThatReads([]), readings }] });
  return diagnose(given).filter(({ id }) => id.startsWith('standstill'));
}

it('standstill: reports a standstill over several seconds once, with its length and time', () => {
  expect(found(0, 0, 400, 1_000, 1_000, 600, 0)).toMatchObject([
    {
      sentence: 'This computer stood still for 3 s from second 2 on: it sent nothing and received no responses.',
      range: { fromSecond: 2, toSecond: 6 },
      confidence: 'certain',
    },
  ]);
});

it('standstill: reports several standstills, the longest first, and a suspension longer than its second', () => {
  expect(found(1_200, 0, 61_000).map(({ range }) => range)).toEqual([
    { fromSecond: 2, toSecond: 3 },
    { fromSecond: 0, toSecond: 1 },
  ]);
});

it('standstill: ignores a machine that continued, and one without readings', () => {
  expect(found(0, 0, null, 0)).toEqual([]);
});
