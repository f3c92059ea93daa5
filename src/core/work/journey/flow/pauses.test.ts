import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { checkPlan } from '#core/review/check.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import { computePace, pauseSeconds } from './pauses.ts';

const seconds = (each: number) => ({ kind: 'fixed', seconds: each }) as const;

const plan = (changes: Partial<PlanInput> = {}) =>
  planSchema.parse({
    holdfast: 1,
    name: 'Pace',
    targets: [{ url: 'http://127.0.0.1:1/' }],
    journey: [
      { name: 'login', once: true },
      { name: 'read' },
      { name: 'send', thinkTime: seconds(0) },
      { name: 'result' },
      { name: 'oracle', measured: false },
      { name: 'news', background: { everySeconds: 10 } },
    ],
    flow: [
      'login',
      {
        choose: [
          { weight: 3, flow: ['read'] },
          { weight: 1, flow: ['send', 'result', 'oracle'] },
        ],
      },
    ],
    load: { model: 'users', thinkTime: seconds(4), stages: [{ users: 40, seconds: 30 }] },
    ...changes,
  });

describe('computePace', () => {
  it('includes repeated steps with their own pauses, and background requests', () => {
    expect(computePace(plan(), 0)).toEqual({ pauseSeconds: 4, requests: 1.25, besidePerSecond: 0.1 });
  });

  it('returns a pause of 0 s without think times', () => {
    const { pauseSeconds } = computePace(plan({ load: { model: 'users', stages: [{ users: 1, seconds: 1 }] } }), 0);
    expect(pauseSeconds).toBe(0);
  });

  it('determines the expected number of requests for a criterion', () => {
    // 40 users × 30 s / 4 s = 300 journeys. Of these, 75 send something, and 40 log in once each.
    const warned = (step: string, percentile: number): boolean =>
      checkPlan(plan({ criteria: [{ kind: 'responseTime', step, percentile, maxMs: 1_000 }] })).some(
        ({ code }) => code === 'TOO_FEW_REQUESTS',
      );
    expect([warned('read', 98), warned('read', 99)]).toEqual([false, true]);
    expect([warned('send', 96), warned('send', 97)]).toEqual([false, true]);
    expect([warned('login', 92), warned('login', 93)]).toEqual([false, true]);
  });
});

const COUNT = 20_000;

function many(thinkTime: ThinkTime, seed = 7): number[] {
  return Array.from({ length: COUNT }, (_, index) => pauseSeconds(thinkTime, seed, index)).toSorted((one, other) => one - other);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe('pauseSeconds', () => {
  it('returns equal values for fixed pauses', () => {
    expect(new Set(many({ kind: 'fixed', seconds: 2.5 }))).toEqual(new Set([2.5]));
  });

  // The limits are five standard errors, for a fixed seed.
  it('fills the range of uniform pauses evenly', () => {
    const values = many({ kind: 'uniform', fromSeconds: 1, toSeconds: 3 });
    expect(values[0]).toBeGreaterThanOrEqual(1);
    expect(values.at(-1)).toBeLessThanOrEqual(3);
    expect(Math.abs(mean(values) - 2)).toBeLessThan((5 * (2 / Math.sqrt(12))) / Math.sqrt(COUNT));
    for (const part of [0.1, 0.5, 0.9]) expect(Math.abs((values[COUNT * part] ?? 0) - (1 + 2 * part))).toBeLessThan(0.04);
  });

  it('returns exponential pauses with the expected mean and median', () => {
    const values = many({ kind: 'exponential', meanSeconds: 4 });
    expect(Math.abs(mean(values) - 4)).toBeLessThan((5 * 4) / Math.sqrt(COUNT));
    expect(Math.abs((values[COUNT / 2] ?? 0) - 4 * Math.LN2)).toBeLessThan((5 * 4) / Math.sqrt(COUNT));
  });

  it('depends only on seed and number, and differs from the gaps of arrivals with the same seed', () => {
    const thinkTime: ThinkTime = { kind: 'uniform', fromSeconds: 0, toSeconds: 1 };
    fc.assert(
      fc.property(fc.nat({ max: 4_294_967_295 }), fc.nat({ max: 2 ** 40 }), (seed, index) => {
        const seconds = pauseSeconds(thinkTime, seed, index);
        expect(pauseSeconds(thinkTime, seed, index)).toBe(seconds);
        expect(seconds).not.toBe(uniformAt(seed, index));
        expect(seconds).toBeGreaterThan(0);
        expect(seconds).toBeLessThan(1);
      }),
    );
  });
});
