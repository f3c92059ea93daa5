import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { fromCriterion, toCriterion, toTarget } from './entries.ts';

describe('conversions between form rows and the plan', () => {
  it.each<Criterion>([
    { kind: 'responseTime', step: 'page', percentile: 99.9, maxMs: 800 },
    { kind: 'errors', stage: 'load', maxShare: 0.07 },
    { kind: 'throughput', minPerSecond: 200 },
    { kind: 'apdex', thresholdMs: 500, min: 0.85 },
  ])('bring back the criterion %j', (criterion) => {
    expect(toCriterion(fromCriterion(criterion, 1))).toEqual(criterion);
  });

  it('keep a share of errors unchanged through the conversion to percent and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), (thousandths) => {
        const criterion: Criterion = { kind: 'errors', maxShare: thousandths / 100_000 };
        expect(toCriterion(fromCriterion(criterion, 1))).toEqual(criterion);
      }),
    );
  });
});

describe('toTarget', () => {
  it('omits headers without a name, and secrets that are not stored yet', () => {
    const headers = [
      { id: 1, name: ' Accept ', value: { kind: 'clear', text: 'text/html' } },
      { id: 2, name: '', value: { kind: 'clear', text: 'x' } },
      { id: 3, name: 'X-Key', value: { kind: 'toKeep' } },
      { id: 4, name: 'Authorization', value: { kind: 'kept', secret: 'session:a' } },
    ] as const;
    expect(toTarget({ id: 1, url: 'a.example', name: '', headers, cookie: null })).toEqual({
      url: 'http://a.example',
      headers: { Accept: 'text/html', Authorization: { secret: 'session:a' } },
    });
  });
});
