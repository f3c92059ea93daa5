import { describe, expect, it } from 'vitest';
import { planSchema, type Plan } from '../plan/schema.ts';
import { isAfter, isDuring, type Span } from './spans.ts';

const plan: Plan = planSchema.parse({
  holdfast: 1,
  name: 'Two stages',
  targets: [{ url: 'http://127.0.0.1:8080/' }],
  journey: [{ name: 'page' }],
  load: {
    model: 'connections',
    stages: [
      { connections: 3, seconds: 6 },
      { connections: 12, requests: 100 },
    ],
  },
});

function seconds(span: Span, of: typeof isDuring): number[] {
  return Array.from({ length: 10 }, (_, second) => second).filter((second) => of(plan, 0, span, second));
}

describe('the seconds of a stage', () => {
  it('are not those of the next one when it ended a little late or began a little late', () => {
    expect(seconds({ from: 0.004, to: 6.003 }, isDuring)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(seconds({ from: 1.998, to: 5.997 }, isDuring)).toEqual([2, 3, 4, 5]);
    expect(seconds({ from: 0.004, to: 6.003 }, isAfter)).toEqual([6, 7, 8, 9]);
  });

  it('are those of which the larger part is its own', () => {
    expect(seconds({ from: 1.6, to: 5.4 }, isDuring)).toEqual([2, 3, 4]);
    expect(seconds({ from: 1.4, to: 5.6 }, isDuring)).toEqual([1, 2, 3, 4, 5]);
  });

  it('keep the answers of a stage that is shorter than a second', () => {
    expect(seconds({ from: 0, to: 0.3 }, isAfter)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(seconds({ from: 3.1, to: 3.2 }, isAfter)).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it('are nobody’s while a stage that ends by requests goes on', () => {
    expect(isDuring(plan, 1, { from: 6, to: 9 }, 7)).toBe(false);
    expect(isAfter(plan, 1, { from: 6, to: 9 }, 9)).toBe(false);
  });
});
