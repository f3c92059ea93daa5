import { describe, expect, it } from 'vitest';
import { emptyDuetCount, emptyWindow, foldWindows } from '#core/measurement/windowFold.ts';
import type { DuetCount, Window } from '#core/measurement/window.ts';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import { listDifferences } from '#core/comparison/differences.ts';
import { WHOLE_RUN } from '#core/comparison/comparedRun.ts';
import { DuetSlots } from '#core/work/journey/duet.ts';
import { DuetTally, type DuetResult, formatDuet, isDuetWorse } from './duet.ts';

const SLOT_MS = 50;
const duet = { variants: ['base', 'head'] as [string, string], slotMs: SLOT_MS };

function tallied(windows: readonly Window[]): DuetResult {
  const tally = new DuetTally();
  for (const window of windows) tally.add(window);
  const result = tally.result({ duet });
  if (result === null) throw new Error('The plan has a duet.');
  return result;
}

const makeWindow = (second: number, counts: DuetCount[]): Window => ({ ...emptyWindow(second, 1), duet: counts });
const count = (pair: number, side: 0 | 1, ms: number, failed = 0): DuetCount => ({
  ...emptyDuetCount(pair, side),
  ok: 10,
  failed,
  logarithms: Math.round(10 * Math.log(ms * 1_000) * 1e6),
});
const makePairs = (length: number, head: (pair: number) => number, failed = 0): Window[] =>
  Array.from({ length }, (_, pair) => makeWindow(pair, [count(pair, 0, 20 + (pair % 3)), count(pair, 1, head(pair), failed)]));

describe('DuetTally', () => {
  it('says which variant is slower, with its interval', () => {
    const slower = tallied(makePairs(20, (pair) => 1.1 * (20 + (pair % 3)) * (1 + 0.01 * ((pair % 5) - 2))));
    expect(slower).toMatchObject({
      conclusion: 'slower',
      pairs: 20,
      sides: [
        { name: 'base', ok: 200 },
        { name: 'head', ok: 200 },
      ],
    });
    expect(formatDuet(slower)).toMatch(/^“head” is slower than “base” by 10 % \(99 % interval 8\.9 % to 11 %\)\.$/);
    expect([isDuetWorse(slower, 0.05), isDuetWorse(slower, 0.2)]).toEqual([true, false]);
    const faster = tallied(makePairs(20, (pair) => 0.5 * (20 + (pair % 3))));
    expect(formatDuet(faster)).toContain('“head” is faster than “base” by 50 %');
    expect(isDuetWorse(faster, 0)).toBe(false);
  });

  it('finds no difference, or says that it cannot decide', () => {
    const same = tallied(makePairs(20, (pair) => (20 + (pair % 3)) * (1 + 0.02 * (pair % 2 === 0 ? 1 : -1))));
    expect([same.conclusion, formatDuet(same)]).toEqual([
      'noDifference',
      expect.stringContaining('“head” is as fast as “base”: response time −2 % to +2 %'),
    ]);
    const wild = tallied(makePairs(20, (pair) => (20 + (pair % 3)) * (pair % 2 === 0 ? 2 : 0.5)));
    expect(wild.conclusion).toBe('inconclusive');
    const few = tallied(makePairs(7, () => 90));
    expect([few.conclusion, few.change]).toEqual(['inconclusive', null]);
    expect(formatDuet(few)).toContain('7 pairs of slots');
  });

  it('judges failures before times, because quick failures are no improvement', () => {
    const failing = tallied(makePairs(20, () => 1, 5));
    expect([failing.conclusion, isDuetWorse(failing, 1)]).toEqual(['failsMore', true]);
    expect(formatDuet(failing)).toBe('“head” fails more often than “base”: 33.3 % of requests, 0 % with “base”.');
  });

  it('has the same result from encoded, folded windows of several threads', () => {
    const windows = makePairs(120, (pair) => 25 + (pair % 7));
    const [even, odd] = [0, 1].map((rest) =>
      windows.map((one) => ({ ...one, duet: (one.duet ?? []).filter(({ side }) => side === rest) })),
    );
    const stored = [...(even ?? []), ...(odd ?? [])].map((one) => decodeWindow(encodeWindow(one)));
    expect(tallied(foldWindows(stored, 60))).toEqual(tallied(windows));
    expect(new DuetTally().result({})).toBeNull();
  });
});

const STEP_SECONDS = 0.01;

/**
 * Returns the logarithm of how much slower a disturbed machine is, by steps of 10 ms. It drifts with a memory of one second (first-order
 * autoregression, standard deviation 0.1). A burning process slows everything by half, and pauses as long as it burns: 0.7 s on average.
 */
function disturbance(seed: number): (steps: number) => number {
  let index = 0;
  const draw = (): number => uniformAt(seed, (index += 1));
  const normal = (): number => Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw());
  const memory = Math.exp(-STEP_SECONDS);
  let [drift, isBurning, left] = [0.1 * normal(), false, 0];
  return (steps) => {
    let sum = 0;
    for (let step = 0; step < steps; step += 1) {
      drift = memory * drift + Math.sqrt(1 - memory ** 2) * 0.1 * normal();
      if (left <= 0) [isBurning, left] = [!isBurning, -0.7 * Math.log(draw())];
      left -= STEP_SECONDS;
      sum += drift + (isBurning ? 0.4 : 0);
    }
    return sum / steps;
  };
}

const RESPONSES_PER_SECOND = 200;
/** Standard deviation of the logarithm of single response times. */
const SPREAD = 0.3;

/**
 * Returns the logarithm of how much slower the first or second variant is, by slots. A burning process shares the processor of the first,
 * of the second or of neither, and moves to another one after a second on average. It burns half of the time, 0.7 s at a time, and slows
 * the variant beside it by 35 %.
 */
function burnerBesideOne(seed: number): (side: 0 | 1) => number {
  let index = 0;
  const draw = (): number => uniformAt(seed + 2, (index += 1));
  let [beside, staysFor, isBurning, changesIn] = [0, 0, false, 0];
  return (side) => {
    let sum = 0;
    for (let step = 0; step < SLOT_MS / 10; step += 1) {
      if (staysFor <= 0) [beside, staysFor] = [Math.floor(3 * draw()), -Math.log(draw())];
      if (changesIn <= 0) [isBurning, changesIn] = [!isBurning, -0.7 * Math.log(draw())];
      staysFor -= STEP_SECONDS;
      changesIn -= STEP_SECONDS;
      sum += isBurning && beside === side ? 0.3 : 0;
    }
    return (10 * sum) / SLOT_MS;
  };
}

interface Simulation {
  readonly seed: number;
  readonly seconds: number;
  /** The second variant takes this many times as long as the first. */
  readonly factor: number;
  readonly isOneSided?: boolean;
}

/** Simulates a duet. The disturbance affects both variants or, if `isOneSided`, comes from a busy process beside one of them. */
function simulateDuet({ seed, seconds, factor, isOneSided = false }: Simulation): DuetResult['conclusion'] {
  const shared = disturbance(seed);
  const burner = burnerBesideOne(seed);
  const level = (side: 0 | 1): number => (isOneSided ? burner(side) : shared(SLOT_MS / 10));
  const slots = new DuetSlots(duet, `run ${seed}`);
  const perSlot = (RESPONSES_PER_SECOND * SLOT_MS) / 1_000;
  const windows = Array.from({ length: (seconds * 1_000) / SLOT_MS }, (_, slot) => {
    const { pair, side } = slots.at(slot * SLOT_MS * 1_000);
    const noise = (uniformAt(seed + 1, 2 * slot) + uniformAt(seed + 1, 2 * slot + 1) - 1) * Math.sqrt(6 / perSlot) * SPREAD;
    return makeWindow(slot, [count(pair, side, 20 * Math.exp(level(side) + noise) * (side === 1 ? factor : 1))]);
  });
  return tallied(windows).conclusion;
}

/** Simulates five runs of each variant alternately, `seconds` seconds in total, and compares them as a series does. */
function simulateSeries(seed: number, seconds: number, factor: number): boolean {
  const level = disturbance(seed);
  const sides: number[][] = [[], []];
  for (let run = 0; run < 10; run += 1)
    sides[run % 2]?.push(20 * Math.exp(level(seconds / 10 / STEP_SECONDS)) * (run % 2 === 1 ? factor : 1));
  const [first, second] = sides.map((values) => values.map((value) => [{ scope: WHOLE_RUN, measure: 'p50' as const, value }]));
  return listDifferences({ first: first ?? [], second: second ?? [], isRefused: false }).some(
    ({ judgement, direction }) => judgement === 'differs' && direction === 'worse',
  );
}

describe('200 simulated duets of 7 s beside a burning process', () => {
  const seeds = Array.from({ length: 200 }, (_, pair) => 1_000 * pair + 7);

  it('call equal variants different in at most 2 % of cases, and detect a slowdown of 10 % in at least 80 %', () => {
    const same = seeds.map((seed) => simulateDuet({ seed, seconds: 7, factor: 1 }));
    const slower = seeds.map((seed) => simulateDuet({ seed, seconds: 7, factor: 1.1 }));
    const wrong = same.filter((one) => one === 'slower' || one === 'faster').length + slower.filter((one) => one === 'faster').length;
    // The one-sided 95 % bound for 4 of 200 is 4.5 % (Clopper and Pearson 1934).
    expect(wrong).toBeLessThanOrEqual(4);
    expect(slower.filter((one) => one === 'slower').length).toBeGreaterThanOrEqual(160);
  });

  it('call equal variants different in at most 5 % of cases, if the process burns beside one of them', () => {
    const same = seeds.map((seed) => simulateDuet({ seed, seconds: 7, factor: 1, isOneSided: true }));
    const wrong = same.filter((one) => one === 'slower' || one === 'faster').length;
    // With intervals for independent pairs, it would be about 30 %.
    expect(wrong).toBeLessThanOrEqual(10);
  });

  it('detect more than consecutive runs of twice the duration', () => {
    const found = seeds.filter((seed) => simulateSeries(seed, 14, 1.1)).length;
    expect(found).toBeLessThan(160);
  });
});
