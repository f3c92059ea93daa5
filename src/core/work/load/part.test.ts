import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { countPlannedJourneys, countPlannedRequests, computePlannedSeconds } from './planned.ts';
import { share } from './part.ts';

describe('share', () => {
  it('divides a total evenly and completely', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), fc.integer({ min: 1, max: 500 }), (total, count) => {
        const parts = Array.from({ length: count }, (_, index) => share(total, index, count));
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
        expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('rejects an index out of range', () => {
    expect(() => share(10, 3, 3)).toThrow(RangeError);
    expect(() => share(10, -1, 3)).toThrow(RangeError);
    expect(() => share(10, 0, 0)).toThrow(RangeError);
  });
});

describe('planned amounts', () => {
  it('are known if the stages define them', () => {
    const journey = [{ name: 'a' }, { name: 'b' }];
    const byRequests = planWith({ journey, load: stages({ connections: 1, requests: 10 }, { connections: 2, requests: 30 }) });
    expect([countPlannedRequests(byRequests), countPlannedJourneys(byRequests), computePlannedSeconds(byRequests)]).toEqual([40, 20, null]);
    const mixed = planWith({ journey, load: stages({ connections: 1, requests: 10 }, { connections: 2, seconds: 30 }) });
    expect([countPlannedRequests(mixed), countPlannedJourneys(mixed), computePlannedSeconds(mixed)]).toEqual([null, null, null]);
    expect(computePlannedSeconds(planWith({ load: stages({ connections: 1, seconds: 1.5 }, { connections: 2, seconds: 30 }) }))).toBe(31.5);
  });
});
