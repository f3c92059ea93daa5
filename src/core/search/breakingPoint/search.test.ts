import { describe, expect, it } from 'vitest';
import { findBracket, decideOutcome, listMixedLevels, chooseNextLevel, type TriedLevel } from './facts.ts';
import type { LevelOutcome } from './reading.ts';

const usual = { growth: 2, precision: 0.05, repeats: 1, maxLevels: 12, from: 10, to: undefined, isWhole: false };
type Bounds = Parameters<typeof chooseNextLevel>[0];

/** Plays a search against a server. `sustains` gives its outcome at each level. */
function search(bounds: Bounds, sustains: (level: number, run: number) => LevelOutcome) {
  const tried: { level: number; outcomes: LevelOutcome[] }[] = [];
  for (let run = 0; run < 200; run += 1) {
    const step = chooseNextLevel(bounds, tried);
    if (step.kind === 'end') return { tried, because: step.because, ...findBracket(tried, bounds.repeats) };
    const known = tried.find(({ level }) => level === step.level);
    if (known === undefined) tried.push({ level: step.level, outcomes: [sustains(step.level, run)] });
    else known.outcomes.push(sustains(step.level, run));
  }
  throw new Error('The search does not end.');
}
const upTo = (limit: number) => (level: number) => (level <= limit ? 'passed' : 'failed') as LevelOutcome;
const levels = (tried: readonly TriedLevel[]) => tried.map(({ level }) => level);

describe('chooseNextLevel', () => {
  it('doubles until a level fails, then halves the interval', () => {
    const { tried, sustained, breakingPoint, because } = search(usual, upTo(100));
    expect(levels(tried)).toEqual([10, 20, 40, 80, 160, 113.1, 95.12, 103.7, 99.32]);
    expect({ sustained, breakingPoint, because }).toEqual({ sustained: 99.32, breakingPoint: 103.7, because: 'found' });
  });

  it('finds every limit up to 128 times the first level within 5 %, in at most 12 levels', () => {
    for (let limit = 10; limit <= 1_280; limit *= 1.013) {
      const { tried, sustained, breakingPoint, because } = search(usual, upTo(limit));
      expect(because, `limit ${limit}`).toBe('found');
      expect(tried.length).toBeLessThanOrEqual(12);
      expect(sustained).toBeLessThanOrEqual(limit);
      expect(breakingPoint).toBeGreaterThan(limit);
      expect((breakingPoint ?? 0) / (sustained ?? 1)).toBeLessThanOrEqual(1.0501);
    }
  });

  it('decreases if the first level fails, and stops far below it', () => {
    const { sustained, breakingPoint, because } = search({ ...usual, from: 100 }, upTo(17));
    expect(because).toBe('found');
    expect(sustained).toBeLessThanOrEqual(17);
    expect(breakingPoint).toBeGreaterThan(17);
    expect(search({ ...usual, from: 100 }, upTo(0))).toMatchObject({ because: 'neverPassed', sustained: null });
  });

  it('finds the exact whole number of users', () => {
    for (const limit of [1, 2, 3, 7, 13, 19, 20]) {
      const { sustained, breakingPoint } = search({ ...usual, from: 1, isWhole: true }, upTo(limit));
      expect({ sustained, breakingPoint }).toEqual({ sustained: limit, breakingPoint: limit + 1 });
    }
    expect(search({ ...usual, from: 1, isWhole: true }, upTo(0))).toMatchObject({
      sustained: null,
      breakingPoint: 1,
      because: 'neverPassed',
    });
  });

  it('stops at the maximum level', () => {
    expect(search({ ...usual, to: 55 }, upTo(1_000))).toMatchObject({ sustained: 55, breakingPoint: null, because: 'reachedTop' });
    const { tried, because } = search({ ...usual, maxLevels: 4 }, upTo(1_000));
    expect(levels(tried)).toEqual([10, 20, 40, 80]);
    expect(because).toBe('mostLevels');
  });

  it('repeats a level until most runs agree, and names mixed levels', () => {
    const flaky = (level: number, run: number): LevelOutcome => (level === 80 && run === 7 ? 'failed' : upTo(100)(level));
    const { tried, sustained, breakingPoint } = search({ ...usual, repeats: 3 }, flaky);
    expect(tried.find(({ level }) => level === 10)?.outcomes, 'two that agree are enough').toEqual(['passed', 'passed']);
    expect(tried.find(({ level }) => level === 80)?.outcomes).toEqual(['passed', 'failed', 'passed']);
    expect(listMixedLevels(tried)).toEqual([80]);
    expect({ sustained, breakingPoint }).toEqual({ sustained: 99.32, breakingPoint: 103.7 });
  });

  it("uses the outcome of most of a level's runs, and failed for a tie", () => {
    const says = (repeats: number, ...outcomes: LevelOutcome[]) => decideOutcome({ outcomes }, repeats);
    expect([says(3, 'failed'), says(3, 'passed', 'failed'), says(2, 'passed')]).toEqual([null, null, null]);
    expect([says(3, 'failed', 'failed'), says(3, 'passed', 'passed'), says(2, 'passed', 'failed')]).toEqual(['failed', 'passed', 'failed']);
    expect(says(3, 'passed', 'unclear')).toBe('unclear');
    // The level was cut short, so its last run decides the outcome.
    expect(findBracket([{ level: 20, outcomes: ['passed'] }], 3)).toMatchObject({ sustained: 20, breakingPoint: null });
    expect(findBracket([{ level: 20, outcomes: ['passed', 'failed'] }], 3)).toMatchObject({ sustained: null, breakingPoint: 20 });
  });

  it('begins at most at the maximum, and increases whole levels by at least one', () => {
    expect(chooseNextLevel({ ...usual, from: 50, to: 20 }, [])).toEqual({ kind: 'try', level: 20 });
    expect(chooseNextLevel({ ...usual, growth: 1.1, isWhole: true }, [{ level: 3, outcomes: ['passed'] }])).toEqual({
      kind: 'try',
      level: 4,
    });
  });

  it('stops once the bracket is within the precision', () => {
    const tried = (breakingPoint: number): TriedLevel[] => [
      { level: 100, outcomes: ['passed'] },
      { level: breakingPoint, outcomes: ['failed'] },
    ];
    expect(chooseNextLevel(usual, tried(105))).toEqual({ kind: 'end', because: 'found' });
    expect(chooseNextLevel(usual, tried(105.1))).toEqual({ kind: 'try', level: 102.5 });
  });

  it('ends at an unclear level', () => {
    expect(search(usual, (level) => (level >= 40 ? 'unclear' : 'passed'))).toMatchObject({
      because: 'unclear',
      sustained: 20,
      breakingPoint: null,
    });
  });
});
