import { describe, expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import type { SearchRun } from '../run.ts';
import { searchFacts } from './facts.ts';
import type { LevelReading } from './reading.ts';
import { breakingPointSettingsSchema } from './schema.ts';
import { failedLevel, passedLevel } from './testing/levelReadings.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 10 }]) });

function rangeOf(levels: readonly LevelReading[], repeats = 1): { low: number | null; high: number | null } {
  const runs = levels.map((reading, position): SearchRun => ({
    position,
    purpose: 'level',
    name: 'a run',
    level: reading.level,
    repeat: 1,
    state: 'value',
    phase: null,
    reason: null,
    runId: null,
    reading,
    spentSeconds: 10,
    requests: 10,
  }));
  return searchFacts(plan, breakingPointSettingsSchema.parse({ from: 40, repeats }), runs).range;
}
const grew = (low: number, high: number, seconds = 10) => ({ growthShare: { low, high }, seconds });
const byLimit = { because: 'criterion' } as const;

describe('95 % interval of a breaking point', () => {
  it('begins at the passed level minus the share by which a queue may have grown there', () => {
    // Half of the interval is 1 % of 40.
    expect(rangeOf([passedLevel(40, grew(-0.01, 0.01))]).low).toBeCloseTo(39.6, 9);
    expect(rangeOf([passedLevel(40, grew(0, 0.02))]).low).toBeCloseTo(39.2, 9);
    expect(rangeOf([passedLevel(40, grew(-0.05, 0.01))]).low).toBe(39.6);
  });

  it('considers the variability at failed levels, scaled to the duration of the passed level', () => {
    // ± 0.02 in 40 s corresponds to ± 0.04 in 10 s.
    expect(rangeOf([passedLevel(40, grew(-0.01, 0.01)), failedLevel(50, grew(0.03, 0.07, 40))]).low).toBeCloseTo(38.4, 9);
    expect(rangeOf([passedLevel(40, grew(-0.01, 0.01)), failedLevel(50, grew(0.049, 0.051, 40))]).low).toBeCloseTo(39.6, 9);
  });

  it('begins at the highest certain level if no queue can be seen', () => {
    expect(rangeOf([passedLevel(20), passedLevel(40)]).low).toBe(40);
    expect(rangeOf([passedLevel(20), passedLevel(40, { isSure: false })]).low).toBe(20);
    expect(rangeOf([passedLevel(40, { isSure: false })]).low).toBeNull();
    expect(
      rangeOf([passedLevel(20), passedLevel(40), passedLevel(40), failedLevel(40, byLimit), passedLevel(40), failedLevel(80, byLimit)], 5)
        .low,
    ).toBe(20);
  });

  it('ends at the lowest level that certainly failed', () => {
    expect(rangeOf([passedLevel(40), failedLevel(50, grew(0.001, 0.1))]).high).toBe(50);
    expect(rangeOf([passedLevel(40), failedLevel(50, grew(0, 0.1))]).high).toBeNull();
    expect(rangeOf([passedLevel(40), failedLevel(80, grew(0.1, 0.2)), failedLevel(50, grew(-0.01, 0.1))]).high).toBe(80);
    expect(rangeOf([passedLevel(40), failedLevel(50, byLimit)]).high).toBe(50);
    expect(rangeOf([passedLevel(40), failedLevel(50, { ...byLimit, isSure: false })]).high).toBeNull();
    expect(rangeOf([passedLevel(40), failedLevel(50, { ...byLimit, ...grew(-0.1, 0.1) })]).high).toBe(50);
  });

  it('uses only the levels on either side', () => {
    expect(rangeOf([passedLevel(40), failedLevel(50, byLimit), passedLevel(80)]), 'one that passed above it').toEqual({
      low: 40,
      high: 50,
    });
    expect(rangeOf([passedLevel(40), failedLevel(80, byLimit), failedLevel(50, byLimit)]).high).toBe(50);
    const mixed = [passedLevel(40), passedLevel(40), failedLevel(40, grew(0.01, 0.1)), failedLevel(80, byLimit), failedLevel(80, byLimit)];
    expect(rangeOf(mixed, 3).high, 'a run that failed where most passed').toBe(80);
    // The limit is 40 minus 60 %, although that of 20 is known precisely.
    expect(rangeOf([passedLevel(20, grew(-0.01, 0.01)), passedLevel(40, grew(0.5, 0.6))]).low).toBeCloseTo(16, 9);
    expect(rangeOf([passedLevel(20, grew(-0.3, 0.3)), passedLevel(40, grew(-0.01, 0.01))]).low, 'uneven where it passed').toBeCloseTo(
      39.6,
      9,
    );
  });

  it('is null on each side that has no level', () => {
    expect(rangeOf([])).toEqual({ low: null, high: null });
    expect(rangeOf([failedLevel(40, byLimit)])).toEqual({ low: null, high: 40 });
  });
});
