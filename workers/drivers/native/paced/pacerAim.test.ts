import { describe, expect, it } from 'vitest';
import { paced } from './testing/paced.ts';

describe('Pacer', () => {
  it("keeps the thread's processor use below 60 % at 5,000 due times per second", async () => {
    const { busyShare } = await paced(5_000, 200);
    expect(busyShare).toBeLessThan(0.6);
  });

  it('is more accurate than a timer for due times that are far apart', async () => {
    const { latenessUs } = await paced(40, 10_300);
    const sorted = latenessUs.toSorted((one, other) => one - other);
    expect(sorted[20]).toBeLessThan(500);
  });
});
