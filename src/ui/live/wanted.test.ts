import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { criterionTexts } from './LiveTiles.tsx';

const plan = (...criteria: object[]) =>
  planSchema.parse({
    holdfast: 1,
    name: 'Contest',
    targets: [{ url: 'http://127.0.0.1:8888/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 50, seconds: 30 }] },
    criteria,
  });

describe('criterionTexts', () => {
  it('returns the criteria of the plan, and empty strings where it has none', () => {
    const criteriaTexts = criterionTexts(
      plan({ kind: 'responseTime', percentile: 95, maxMs: 1_000 }, { kind: 'errors', maxShare: 0.05 }),
      0,
      5,
    );
    expect(criteriaTexts).toEqual({
      responses: '',
      within: 'target: ≤ 1 s',
      failures: 'target: ≤ 5 %',
      waiting: 'of at most 50',
      minPerSecond: null,
      withinMs: 1_000,
      tolerableShare: 0.05,
    });
  });

  it('names the percentile of a criterion if the figure has another percentile', () => {
    expect(criterionTexts(plan({ kind: 'responseTime', percentile: 99, maxMs: 500 }), null, 5).within).toBe('target: p99 ≤ 500 ms');
  });

  it('returns the rate planned for the current second, and the maximum number in flight', () => {
    const stages = [{ kind: 'ramp', fromPerSecond: 0, toPerSecond: 100, seconds: 10 }];
    const arrivals = {
      ...plan({ kind: 'throughput', minPerSecond: 20 }),
      load: loadSchema.parse({ model: 'arrivals', maxInFlight: 70, stages }),
    };
    expect(criterionTexts(arrivals, 0, 5)).toMatchObject({ responses: 'planned now: 50/s · target: ≥ 20/s', waiting: 'of at most 70' });
    const users = { ...plan(), load: loadSchema.parse({ model: 'users', stages: [{ users: 500, seconds: 9 }] }) };
    expect(criterionTexts(users, 0, 5)).toMatchObject({ responses: '', waiting: 'of 500 users' });
  });

  it('returns empty strings while the plan is unknown', () => {
    expect(criterionTexts(undefined, 0, 5)).toEqual({
      responses: '',
      within: '',
      failures: '',
      waiting: '',
      minPerSecond: null,
      withinMs: null,
      tolerableShare: 0.01,
    });
  });
});
