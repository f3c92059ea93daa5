import { describe, expect, it } from 'vitest';
import { sharedClock } from '#workers/clock.ts';
import { Pacer } from './pacer.ts';
import { paced } from './testing/paced.ts';

describe('a pacer', () => {
  it.each([
    ['far apart', 20, 20_000, false],
    ['closer than a timer can count', 2_000, 200, false],
    ['looked at by others too', 200, 2_000, true],
  ] as const)('takes every instant, none of them early: %s', async (_, count, gapUs, pokes) => {
    const { latenessUs } = await paced(count, gapUs, pokes);
    expect(latenessUs).toHaveLength(count);
    expect(Math.min(...latenessUs)).toBeGreaterThanOrEqual(0);
  });

  it('starts nothing once it is stopped', async () => {
    let turns = 0;
    const now = sharedClock();
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
