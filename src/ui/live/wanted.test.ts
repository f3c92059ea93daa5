import { describe, expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema.ts';
import { wantedOf } from './wanted.ts';

const plan = (...objectives: object[]) =>
  planSchema.parse({
    holdfast: 1,
    name: 'Contest',
    targets: [{ url: 'http://127.0.0.1:8888/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 50, seconds: 30 }] },
    objectives,
  });

describe('wantedOf', () => {
  it('says what the plan wants, and nothing where it wants nothing', () => {
    const wanted = wantedOf(plan({ kind: 'responseTime', percentile: 95, limitMs: 1_000 }, { kind: 'errors', maxShare: 0.05 }), 0);
    expect(wanted).toEqual({
      answers: '',
      within: 'wanted: within 1 s',
      failures: 'wanted: at most 1 in 20',
      waiting: 'of at most 50 at once',
      tolerableShare: 0.05,
    });
  });

  it('names the share when it is not the one of the number above', () => {
    expect(wantedOf(plan({ kind: 'responseTime', percentile: 99, limitMs: 500 }), null).within).toBe('wanted: 99 of 100 within 500 ms');
  });

  it('is silent as long as the plan is not known', () => {
    expect(wantedOf(undefined, 0)).toEqual({ answers: '', within: '', failures: '', waiting: '', tolerableShare: 0.01 });
  });
});
