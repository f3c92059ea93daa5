import { describe, expect, it } from 'vitest';
import { planWith, stages, users } from '#core/testing/plans.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import { rarestToBeSeenSeconds } from './notJudged.ts';
import { judged } from './testing/judged.ts';

describe('rarestToBeSeenSeconds', () => {
  it('uses the counted time of the shortest judged stage', () => {
    const two = stages({ connections: 1, seconds: 6, counted: false }, { connections: 1, seconds: 180 }, { connections: 2, seconds: 60 });
    expect(rarestToBeSeenSeconds(planWith({ load: two }))).toBe(20);
    const grown = users([{ users: 10, startUpSeconds: 30, seconds: 90 }]);
    expect(rarestToBeSeenSeconds(planWith({ load: grown }))).toBe(30);
  });

  it('returns null if a stage ends after a number of requests', () => {
    expect(rarestToBeSeenSeconds(planWith({ load: stages({ connections: 1, requests: 50 }, { connections: 1, seconds: 60 }) }))).toBe(null);
  });
});

describe('findNotSeen', () => {
  const load = stages(
    { connections: 1, seconds: 6, counted: false },
    { connections: 1, seconds: 30 },
    { connections: 2, seconds: 12 },
    { connections: 3, seconds: 60 },
  );
  const each = { ok: [{ count: 1, ms: 5 }] };

  it('uses the load time of the shortest judged stage', () => {
    const windows = [6, 30, 12, 60].flatMap((seconds, stage) => repeatedWindows(seconds, { ...each, stage, second: 100 * stage }));
    expect(judged({ plan: planWith({ load }), windows }).verdict.notSeen).toEqual({ watchedSeconds: 12, rarerThanSeconds: 4 });
    expect(judged({ plan: planWith({ load }), windows, end: null }).verdict.notSeen).toEqual({ watchedSeconds: 12, rarerThanSeconds: 4 });
  });

  it('ignores stages that were never reached, and returns undefined if none was reached', () => {
    const windows = repeatedWindows(30, { ...each, stage: 1, second: 6 });
    expect(judged({ plan: planWith({ load }), windows, end: null }).verdict.notSeen?.watchedSeconds).toBe(30);
    const { verdict } = judged({ plan: planWith({ load }), windows: [], end: null });
    expect([verdict.notSeen, verdict.reasons.map(({ code }) => code)]).toEqual([undefined, []]);
    expect(verdict).not.toHaveProperty('notSeen');
  });
});
