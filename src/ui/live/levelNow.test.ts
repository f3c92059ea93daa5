import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { currentLevelText } from './StageStrip.tsx';
import { sampleLive } from './testing/live.ts';

const at = (elapsedSeconds: number, isCounted = true) => sampleLive({ elapsedSeconds, stage: { index: 0, name: 'a', counted: isCounted } });

describe('currentLevelText', () => {
  it('returns the load of the current stage', () => {
    expect(currentLevelText(planWith(), at(3))).toBe('10 connections');
    const ramp = { kind: 'ramp' as const, fromPerSecond: 0, toPerSecond: 50, seconds: 10 };
    expect(currentLevelText(planWith({ load: { model: 'arrivals', stages: [ramp] } }), at(5))).toBe('25/s due');
  });

  it('distinguishes users that are starting from running users', () => {
    const users = planWith({ load: { model: 'users', stages: [{ users: 500, startUpSeconds: 10, seconds: 30 }] } });
    expect(currentLevelText(users, at(5, false))).toBe('500 users starting');
    expect(currentLevelText(users, at(15))).toBe('500 users');
  });

  it('returns an empty string between stages', () => {
    expect(currentLevelText(planWith(), sampleLive({ stage: null }))).toBe('');
  });
});
