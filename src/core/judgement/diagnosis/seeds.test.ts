import { describe, expect, it } from 'vitest';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { idsOf, played } from './testing/found.ts';

/** The figures come from real runs that were once misinterpreted. Each test has the correct conclusion. */
describe('figures that were once misinterpreted:', () => {
  it('ten thousand “failures”: one missing byte in each, and one in six hundred responses waits for 5 s', () => {
    const plan = planWith({ load: stages({ connections: 60, seconds: 20 }) });
    const given = played(plan, {
      workers: Infinity,
      serviceMs: (random, n) => (n % 600 === 300 ? 5_060 : 45 + 10 * random()),
      extraBytes: (random) => (random() < 0.1 ? -1 : 0),
    });
    expect(idsOf(given)).toEqual(['groups.the whole run.page', 'lengthVaries']);
  });

  it('1.5 times the capacity of one process behind a proxy with a time-out of a minute (times scaled by 10)', () => {
    const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 3, seconds: 24 }]) });
    const found = idsOf(played(plan, { workers: 1, serviceMs: () => 500, patienceMs: 6_000 }));
    expect(found.slice(0, 1)).toEqual(['proxyTimeout']);
    expect(found).toContain('growingQueue.the whole run');
    expect(found.filter((id) => /unexpectedStatus|slowTail|groups|generatorLimited|proxySlots/.test(id))).toEqual([]);
  });

  it('three processes sustain the load: no finding', () => {
    const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 3, seconds: 24 }]) });
    expect(idsOf(played(plan, { workers: 3, serviceMs: () => 500, patienceMs: 6_000 }))).toEqual([]);
  });

  it('quick 404 from the tenth request on: a missing page, not overload', () => {
    const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 5, seconds: 30 }]) });
    const found = idsOf(played(plan, { workers: 1, serviceMs: () => 150, refuses: (n) => (n >= 10 ? 404 : null) }));
    expect(found[0]).toBe('missingRoute.page');
    expect(found.filter((id) => /growingQueue|unexpectedStatus|proxy/.test(id))).toEqual([]);
  });

  it('“1,000 users get better times than 500”: the windows were shorter than the waits', () => {
    const thinkTime = { kind: 'fixed' as const, seconds: 1 };
    const plan = planWith({
      load: users(
        [20, 80, 160].map((count) => ({ users: count, seconds: count < 80 ? 20 : 3 })),
        thinkTime,
      ),
      drainSeconds: 1,
    });
    const found = idsOf(played(plan, { workers: 8, serviceMs: () => 400 }, 27_000));
    expect(found).toContain('windowTooShort.stage 3');
    expect(found.filter((id) => id === 'notSteady')).toEqual([]);
  });
});
