import { expect, it } from 'vitest';
import { unknownReading } from '#core/result/unknownReading.ts';
import { diagnose } from '../diagnose.ts';
import { facts, generatorThatReads, healthyStep } from '../testing/facts.ts';

/** What is found when a generator stood still for so many milliseconds in each second. */
function found(...stoodStillMs: readonly (number | null)[]) {
  const readings = stoodStillMs.map((ms, second) => ({ ...unknownReading(second), stoodStillMs: ms }));
  const given = facts(healthyStep(), { generators: [{ ...generatorThatReads([]), readings }] });
  return diagnose(given).filter(({ id }) => id.startsWith('standstill'));
}

it('names a standstill over several seconds once, with its length and place', () => {
  expect(found(0, 0, 400, 1_000, 1_000, 600, 0)).toMatchObject([
    {
      sentence: 'This computer stood still for 3 s from second 2 on: it sent nothing, and noticed no answers.',
      range: { fromSecond: 2, toSecond: 6 },
      confidence: 'certain',
    },
  ]);
});

it('names several, the longest first, and a suspension that the seconds do not contain', () => {
  expect(found(1_200, 0, 61_000).map(({ range }) => range)).toEqual([
    { fromSecond: 2, toSecond: 3 },
    { fromSecond: 0, toSecond: 1 },
  ]);
});

it('says nothing of a machine that went on, or cannot tell', () => {
  expect(found(0, 0, null, 0)).toEqual([]);
});
