import { expect, it } from 'vitest';
import { decideOutcome } from '../figures/requirement.ts';
import { Dice } from './dice.ts';
import {
  drawHidden,
  hiddenRequirements,
  hiddenSections,
  isRightType,
  timeDeviationPercent,
  workersDeviation,
  type UnveiledServer,
} from './hiddenJudge.ts';

const makeUnveiled = (changes: Partial<UnveiledServer>): UnveiledServer => ({
  hidden: { workers: 17, serviceMs: 100 },
  servedMs: 101,
  server: 'synchronous',
  sentence: 'Synchronous: 17 workers, 102 ms each.',
  workers: 17,
  serviceMs: 102,
  tookSeconds: 40,
  stolenShare: 0,
  ...changes,
});
const makeAsynchronous = (changes: Partial<UnveiledServer>): UnveiledServer =>
  makeUnveiled({ hidden: { workers: null, serviceMs: 100 }, server: 'asynchronous', workers: null, ...changes });

it('the campaign draws synchronous and asynchronous servers in turn, with 1 to 40 workers', () => {
  const drawn = Array.from({ length: 1_000 }, (_, index) => drawHidden(index, new Dice(5, index)));
  const workers = drawn.flatMap((one) => one.workers ?? []);
  expect(workers).toHaveLength(500);
  expect([Math.min(...workers), Math.max(...workers)]).toEqual([1, 40]);
  const times = drawn.map(({ serviceMs }) => serviceMs);
  expect([Math.min(...times) >= 80, Math.max(...times) <= 400]).toEqual([true, true]);
  // Maximum time in which 128 users wait for each other. A longer time would not fit into the search.
  for (const one of drawn) expect(((one.workers === null ? 0 : 128 / one.workers) * one.serviceMs) / 1_000).toBeLessThanOrEqual(11);
});

it("the judgement of a hidden server compares the app's numbers with the server's own", () => {
  expect([isRightType(makeUnveiled({})), isRightType(makeAsynchronous({}))]).toEqual([true, true]);
  expect([isRightType(makeUnveiled({ server: 'unknown' })), isRightType(makeAsynchronous({ server: 'synchronous' }))]).toEqual([
    false,
    false,
  ]);
  expect([workersDeviation(makeUnveiled({ workers: 15 })), workersDeviation(makeAsynchronous({}))]).toEqual([-2, null]);
  expect(timeDeviationPercent(makeUnveiled({ serviceMs: 103.02 }))).toBeCloseTo(2, 10);
  expect(timeDeviationPercent(makeUnveiled({ servedMs: null }))).toBeNull();
});

it('the judgement of hidden servers requires every type, every number of workers and every time to be right', () => {
  const outcomes = (servers: readonly UnveiledServer[]) => hiddenRequirements(servers).map(decideOutcome);
  expect(outcomes([makeUnveiled({}), makeUnveiled({ workers: 18 }), makeAsynchronous({})])).toEqual(['met', 'met', 'met']);
  expect(outcomes([makeUnveiled({}), makeAsynchronous({ server: 'unknown' })])).toEqual(['missed', 'met', 'met']);
  expect(outcomes([makeUnveiled({ workers: 19 }), makeAsynchronous({})])).toEqual(['met', 'missed', 'met']);
  expect(outcomes([makeUnveiled({ workers: null }), makeAsynchronous({ serviceMs: 105 })])).toEqual(['met', 'missed', 'missed']);
  expect(outcomes([makeAsynchronous({})])).toEqual(['met', 'unknown', 'met']);
});

it('the report lists each server next to what the app found', () => {
  const [section] = hiddenSections([makeUnveiled({ workers: 18 }), makeAsynchronous({ server: 'unknown', serviceMs: null })]);
  expect(section?.rows.map((row) => [row[0], row[3], row[4], row[5], row[7]])).toEqual([
    ['17 workers, 100 ms', 'right', '18', '+1', '+1.0'],
    ['all at once, 100 ms', 'WRONG', '–', '–', '–'],
  ]);
});
