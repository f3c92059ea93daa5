import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { searchHighest, type SearchOptions } from './arrivalsLimit.ts';

const OPTIONS: SearchOptions = { start: 5_000, lowest: 10, highest: 200_000, precision: 1.1, maxProbes: 40 };

async function searched(limit: number, changes: Partial<SearchOptions> = {}): Promise<{ found: number | null; probes: number[] }> {
  const probes: number[] = [];
  const found = await searchHighest(
    (value) => {
      probes.push(value);
      return Promise.resolve(value <= limit);
    },
    { ...OPTIONS, ...changes },
  );
  return { found, probes };
}

describe('searchHighest', () => {
  it('finds any limit within the given precision, from below, and returns only values that passed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 10, max: 180_000 }), fc.integer({ min: 10, max: 200_000 }), async (limit, start) => {
        const { found, probes } = await searched(limit, { start });
        expect(found).not.toBeNull();
        expect(found ?? 0).toBeLessThanOrEqual(limit);
        expect(probes).toContain(found);
        // Values are whole numbers, so at small values the next one may be more than 10 % higher.
        expect(limit).toBeLessThanOrEqual(Math.max((found ?? 0) * OPTIONS.precision, (found ?? 0) + 2));
      }),
    );
  });

  it('returns the maximum if nothing fails, and null if nothing passes', async () => {
    expect((await searched(1e9)).found).toBe(200_000);
    expect((await searched(0)).found).toBeNull();
  });

  it('ends after the maximum number of probes, with the best value so far', async () => {
    const { found, probes } = await searched(60_000, { maxProbes: 4 });
    expect(probes).toEqual([5_000, 10_000, 40_000, 200_000]);
    expect(found).toBe(40_000);
  });
});
