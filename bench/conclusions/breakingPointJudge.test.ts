import { describe, expect, it } from 'vitest';
import { decideOutcome } from '../figures/requirement.ts';
import { Dice } from './dice.ts';
import {
  breakingPointRequirements,
  breakingPointSections,
  drawLimited,
  limitDeviationPercent,
  recoveryDeviationPercent,
  trueLimitOf,
  trueRecoverySecondsOf,
  type FoundLimit,
} from './breakingPointJudge.ts';

const recovery = {
  kind: 'recovery' as const,
  calmLevel: 50,
  overloadLevel: 150,
  overloadSeconds: 8,
  seconds: 8.4,
  resolutionSeconds: 1,
  watchedSeconds: 24,
  beforeMs: 101,
  worstMs: 4_000,
  reason: null,
};
const rate = (changes: Partial<FoundLimit['conclusion']> = {}, servedMs: number | null = 100): FoundLimit => ({
  limited: { kind: 'rate', workers: 10, serviceMs: 99, from: 20 },
  servedMs,
  conclusion: { sustained: 98, breakingPoint: 102, estimate: 100, sentence: 'It bears 98 a second.', recovery, isKnown: true, ...changes },
  levels: 8,
  readings: [],
  tookSeconds: 100,
  stolenShare: null,
});
const room = (sustained: number): FoundLimit => ({
  ...rate({ sustained, breakingPoint: sustained + 1, estimate: sustained + 0.5, recovery: null }, null),
  limited: { kind: 'room', room: 40, serviceMs: 100, from: 8 },
});

describe('drawLimited', () => {
  const drawn = Array.from({ length: 1_000 }, (_, index) => drawLimited(index, new Dice(9, index)));

  it('draws three of five servers with workers and two with room, all with limits above the first level of the search', () => {
    expect(drawn.slice(0, 5).map(({ kind }) => kind)).toEqual(['rate', 'room', 'rate', 'room', 'rate']);
    for (const one of drawn) {
      const limit = one.kind === 'room' ? one.room : (1_000 * one.workers) / one.serviceMs;
      expect(one.from, JSON.stringify(one)).toBeLessThan(0.75 * limit);
      expect(limit, JSON.stringify(one)).toBeGreaterThanOrEqual(19);
    }
  });
});

describe('a found limit', () => {
  it('is compared with the limit according to the server', () => {
    expect(trueLimitOf(rate())).toBe(100);
    expect(limitDeviationPercent(rate({ estimate: 104 }))).toBeCloseTo(4, 10);
    expect(limitDeviationPercent(room(38))).toBeCloseTo(-5, 10);
    expect([limitDeviationPercent(rate({ isKnown: false })), limitDeviationPercent(rate({}, null))]).toEqual([null, null]);
  });

  it('is compared with the true recovery time: 8 s at 150/s leave 400 requests at a limit of 100/s, which takes 8 s at 50/s', () => {
    expect(trueRecoverySecondsOf(rate())).toBe(8);
    expect(recoveryDeviationPercent(rate())).toBeCloseTo(5, 10);
    expect(trueRecoverySecondsOf(room(40))).toBeNull();
  });

  it('meets the requirements only if it is right for every server', () => {
    const outcomes = (servers: readonly FoundLimit[]) => breakingPointRequirements(servers).map(decideOutcome);
    expect(outcomes([rate(), room(40)])).toEqual(['met', 'met', 'met']);
    expect(outcomes([rate({ estimate: 94 }), room(40)])).toEqual(['missed', 'met', 'met']);
    expect(outcomes([{ ...rate(), levels: 13 }])).toEqual(['met', 'missed', 'met']);
    expect(outcomes([rate({ recovery: { ...recovery, seconds: 9 } })])).toEqual(['met', 'met', 'missed']);
    expect(outcomes([rate(), rate({ isKnown: false })])).toEqual(['missed', 'met', 'met']);
    expect(outcomes([rate({ recovery: null })])).toEqual(['met', 'met', 'missed']);
    expect(outcomes([room(40)])).toEqual(['met', 'met', 'unknown']);
    expect(outcomes([])).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('is reported with its numbers', () => {
    const [section] = breakingPointSections([rate(), room(39)]);
    expect(section?.rows.map((row) => row.slice(0, 8))).toEqual([
      ['10 workers of 99 ms', '100.0', '100.0', '0.0', '8', '8.0', '8.4', '+5.0'],
      ['room for 40', '40.0', '39.0', '-2.5', '8', '–', '–', '–'],
    ]);
  });
});
