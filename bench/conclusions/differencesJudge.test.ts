import { expect, it } from 'vitest';
import type { ComparedSide } from '#core/comparison/comparedRun.ts';
import { compareSides } from '#core/comparison/compareSides.ts';
import { decideOutcome } from '../figures/requirement.ts';
import { Dice } from './dice.ts';
import { makeComparedPair, differencesRequirements, differencesSections, drawPair, isRight } from './differencesJudge.ts';

/** Returns a side with runs whose median times alternate between the values of `p50s`. */
function makeSide(name: string, p50s: readonly number[], offset: number): ComparedSide {
  return {
    name,
    runs: p50s.map((value, index) => ({
      id: `${name}-${index}`,
      name,
      startedAt: `2026-01-01T00:00:${String(2 * index + offset).padStart(2, '0')}.000Z`,
      note: '',
      outcome: 'measured',
      leftOut: null,
      overloadedSeconds: 0,
      figures: [{ scope: { kind: 'run', name: '' }, measure: 'p50', value }],
      conditions: [],
    })),
  };
}
const makePair = (index: number, second: readonly number[]) =>
  makeComparedPair(
    drawPair(index, new Dice(1, index)),
    compareSides([makeSide('first', [100, 101, 99, 102, 98], 0), makeSide('second', second, 1)], 'target'),
    0.01,
  );
const EQUAL_TIMES = [101, 99, 100, 98, 102];
const SLOWER_TIMES = [110, 111, 109, 112, 108];

it('the campaign draws pairs of equal servers and pairs in which one is 10 % slower, in turn', () => {
  for (let index = 0; index < 100; index += 1) {
    const { servers, isSlower, connections } = drawPair(index, new Dice(3, index));
    expect(isSlower).toBe(index % 2 === 1);
    expect(servers[1].workers).toBe(servers[0].workers);
    expect(servers[1].serviceMs / servers[0].serviceMs).toBeCloseTo(isSlower ? 1.1 : 1, 10);
    expect(Number.isInteger(servers[1].serviceMs)).toBe(true);
    expect(connections).toBe(2 * (servers[0].workers ?? 0));
  }
});

it('a comparison is right if it reports no difference between equal servers, and a slowdown between unequal servers', () => {
  const [quiet, found, missed, wrong] = [
    makePair(0, EQUAL_TIMES),
    makePair(1, SLOWER_TIMES),
    makePair(1, EQUAL_TIMES),
    makePair(0, SLOWER_TIMES),
  ];
  expect([quiet, found, missed, wrong].map(isRight)).toEqual([true, true, false, false]);
  expect(isRight(makePair(1, [90, 91, 89, 92, 88])), 'quicker is not slower').toBe(false);
  expect(differencesRequirements([quiet, found]).map(decideOutcome)).toEqual(['met', 'met']);
  expect(differencesRequirements([wrong, missed]).map(decideOutcome)).toEqual(['missed', 'missed']);
  expect(differencesRequirements([]).map(decideOutcome)).toEqual(['unknown', 'unknown']);
});

it('the report lists each pair with the differences that the app claims', () => {
  const [section] = differencesSections([makePair(0, EQUAL_TIMES), makePair(1, SLOWER_TIMES)]);
  expect(section?.rows.map((row) => [row[1], row[2], row[3], row[4]])).toEqual([
    ['alike', 'nothing', 'yes', '0.0'],
    [expect.stringMatching(/^a tenth slower \(\d+ ms\)$/), 'p50 worse', 'yes', '+10.0'],
  ]);
});
