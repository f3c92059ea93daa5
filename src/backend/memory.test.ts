import { describe, expect, it } from 'vitest';
import { measureMemoryAfter } from './testing/measureMemory.ts';

describe('the memory of a run', { timeout: 120_000 }, () => {
  it('does not grow with its length', () => {
    const [minute, hour] = measureMemoryAfter([60, 3_600], 200);
    if (!minute || !hour) throw new Error('not measured');
    expect(hour.heapBytes - minute.heapBytes).toBeLessThan(10_000_000);
  });
});
