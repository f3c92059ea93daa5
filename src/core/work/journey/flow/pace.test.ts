import { describe, expect, it } from 'vitest';
import { checkPlan } from '#core/review/check.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { paceOf } from './pace.ts';

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

describe('the pace of a user', () => {
  it('is that of the steps taken again and again, each with its own pause, and of what is sent beside', () => {
    expect(paceOf(plan(), 0)).toEqual({ pauseSeconds: 4, requests: 1.25, besidePerSecond: 0.1 });
  });

  it('has no bound where nobody pauses', () => {
    const { pauseSeconds } = paceOf(plan({ load: { model: 'users', stages: [{ users: 1, seconds: 1 }] } }), 0);
    expect(pauseSeconds).toBe(0);
  });

  it('decides how many requests of a step there will be for an objective', () => {
    // 40 users × 30 s / 4 s = 300 journeys, of which 75 send something; 40 log in, each once.
    const warned = (step: string, percentile: number): boolean =>
      checkPlan(plan({ objectives: [{ kind: 'responseTime', step, percentile, limitMs: 1_000 }] })).some(
        ({ code }) => code === 'TOO_FEW_REQUESTS',
      );
    expect([warned('read', 98), warned('read', 99)]).toEqual([false, true]);
    expect([warned('send', 96), warned('send', 97)]).toEqual([false, true]);
    expect([warned('login', 92), warned('login', 93)]).toEqual([false, true]);
  });
});
