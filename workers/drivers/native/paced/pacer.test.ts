import { describe, expect, it } from 'vitest';
import { createSharedClock } from '#workers/clock.ts';
import { Pacer } from './pacer.ts';
import { paced } from './testing/paced.ts';

describe('Pacer', () => {
  it.each([
    ['far apart', 20, 20_000, false],
    ['closer than a timer can count', 2_000, 200, false],
    ['with additional checks', 200, 2_000, true],
  ] as const)('calls turn for every due time, never early: %s', async (_, count, gapUs, pokes) => {
    const { latenessUs } = await paced(count, gapUs, pokes);
    expect(latenessUs).toHaveLength(count);
    expect(Math.min(...latenessUs)).toBeGreaterThanOrEqual(0);
  });

  it('does not call turn after stop()', async () => {
    let turns = 0;
    const now = createSharedClock();
    const pacer = new Pacer(
      now,
      () => {
        turns += 1;
        return now() + 2_000;
      },
      () => false,
    );
    pacer.check();
    pacer.stop();
    pacer.check();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(turns).toBe(1);
  });
});
