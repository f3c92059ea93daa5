import { describe, expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { windowWith } from '#core/testing/windows.ts';
import { judged } from './testing/judged.ts';
import { PAUSING_SERVERS, judgeRarePauses } from './testing/rarePauses.ts';

const SECONDS = 24;

describe('24 s of a closed load with none of 26,718 requests over 1 s', () => {
  const plan = planWith({
    load: stages({ connections: 10, seconds: SECONDS }),
    criteria: [
      { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
      { kind: 'errors', maxShare: 0.01 },
    ],
  });
  const windows = Array.from({ length: SECONDS }, (_, second) =>
    windowWith({ second, ok: [{ count: second < 6 ? 1_114 : 1_113, ms: 9 }] }),
  );
  const { criteria, verdict } = judged({ plan, windows });

  it('pass without claiming an upper bound on the share of slow requests, in words or in numbers', () => {
    expect(verdict.outcome).toBe('passed');
    expect(criteria.map(({ counted, over, shareLow, shareHigh }) => [counted, over, shareLow, shareHigh])).toEqual([
      [26_718, 0, 0, null],
      [26_718, 0, 0, null],
    ]);
    // For independent requests, an upper bound of 1 in 8,920 would be claimed.
    expect(JSON.stringify({ criteria, verdict })).not.toMatch(/1 in 8,9|0\.0112|0\.00011|95 % confidence/);
  });

  it('report what they may have missed', () => {
    expect(verdict.reasons.map(({ text }) => text)).toContain('Disturbances rarer than about one every 8 s may have been missed.');
  });

  it('claim no lower bound if all requests are over the limit', () => {
    const all = Array.from({ length: SECONDS }, (_, second) => windowWith({ second, ok: [{ count: 1_113, ms: 1_500 }] }));
    const [found] = judged({ plan, windows: all }).criteria;
    expect(found).toMatchObject({ outcome: 'failed', over: 26_712, shareLow: null, shareHigh: 1 });
  });
});

/**
 * Number of runs. `npm run bench -- coverage --only pauses` makes 1,000 runs with all requests. If claims are correct with 95 % confidence,
 * 180 or fewer of 200 are correct once in 300 cases.
 */
const RUNS = 200;
const MIN_CORRECT_SHARE = 0.9;
const MAX_MISSED_SHARE = 0.1;

it.each(PAUSING_SERVERS.filter(({ every }) => every === 8 || every === 60).map((server) => [server.name, server] as const))(
  'bounds from 24 s of a server that pauses: are correct, and pauses occur as often as claimed: %s',
  (_, server) => {
    const found = judgeRarePauses(server, { seconds: SECONDS, perSecond: 100 }, { runs: RUNS, seed: 1 });
    expect(found.highTrue / found.highClaimed).toBeGreaterThanOrEqual(MIN_CORRECT_SHARE);
    expect(found.lowTrue / found.lowClaimed).toBeGreaterThanOrEqual(MIN_CORRECT_SHARE);
    expect(found.rarestSeen).toBe(SECONDS / 3);
    if (server.every <= SECONDS / 3) expect(found.clean / RUNS).toBeLessThanOrEqual(MAX_MISSED_SHARE);
    // A run without a pause claims no upper bound.
    expect(found.highClaimed).toBe(RUNS - found.clean);
  },
);
