import { describe, expect, it } from 'vitest';
import { paced } from './testing/paced.ts';

describe('the aim of a pacer', () => {
  it('does not burn the thread to be exact', async () => {
    const { busyShare } = await paced(5_000, 200);
    expect(busyShare).toBeLessThan(0.6);
  });

  it('hits what is far apart closer than a timer does', async () => {
    const { latenessUs } = await paced(40, 10_300);
    const sorted = latenessUs.toSorted((one, other) => one - other);
    expect(sorted[20]).toBeLessThan(500);
  });
});
