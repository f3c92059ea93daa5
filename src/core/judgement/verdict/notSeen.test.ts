import { describe, expect, it } from 'vitest';
import { planWith, stages, users } from '#core/testing/plans.ts';
import { rarestToBeSeenSeconds } from './notSeen.ts';

describe('what a run will not see', () => {
  it('follows from its shortest judged stage, without what does not count', () => {
    const two = stages({ connections: 1, seconds: 6, counted: false }, { connections: 1, seconds: 180 }, { connections: 2, seconds: 60 });
    expect(rarestToBeSeenSeconds(planWith({ load: two }))).toBe(20);
    const grown = users([{ users: 10, startUpSeconds: 30, seconds: 90 }]);
    expect(rarestToBeSeenSeconds(planWith({ load: grown }))).toBe(30);
  });

  it('is not known where requests end a stage', () => {
    expect(rarestToBeSeenSeconds(planWith({ load: stages({ connections: 1, requests: 50 }, { connections: 1, seconds: 60 }) }))).toBe(null);
  });
});
