import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { plannedRateAt, plannedRates } from './planned.ts';

const arrivals = planWith({
  journey: [{ name: 'a' }, { name: 'b', path: 'b' }],
  load: {
    model: 'arrivals',
    stages: [
      { kind: 'constant', perSecond: 10, seconds: 2 },
      { kind: 'ramp', fromPerSecond: 0, toPerSecond: 8, seconds: 4 },
    ],
  },
});

describe('plannedRates', () => {
  it('is what is due within each span, in requests', () => {
    const spans = [
      { second: 0, width: 1 },
      { second: 1, width: 2 },
      { second: 5, width: 1 },
      { second: 6, width: 1 },
    ];
    expect(plannedRates(arrivals, spans)).toEqual([20, 11, 14, 0]);
  });

  it('is not known where the answers make the rate', () => {
    expect(plannedRates(planWith(), [{ second: 0, width: 1 }])).toBeNull();
    expect(plannedRateAt(planWith(), 0)).toBeNull();
  });
});

describe('plannedRateAt', () => {
  it('is the height of the curve', () => {
    expect([0, 4, 6].map((second) => plannedRateAt(arrivals, second))).toEqual([10, 4, 0]);
  });
});
