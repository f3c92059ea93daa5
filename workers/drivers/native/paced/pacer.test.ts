import { describe, expect, it } from 'vitest';
import { sharedClock } from '#workers/clock.ts';
import { Pacer } from './pacer.ts';

const now = sharedClock();

/** Lets a pacer take `count` instants, `gapUs` apart; how late each of them was, and what part of the time the thread was busy. */
async function paced(count: number, gapUs: number, pokes = false): Promise<{ readonly latenessUs: number[]; readonly busyShare: number }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const latenessUs: number[] = [];
  const before = process.threadCpuUsage();
  const beganUs = now();
  let dueUs = beganUs + 5_000;
  const pacer = new Pacer(now, () => {
    for (let nowUs = now(); dueUs <= nowUs && latenessUs.length < count; nowUs = now()) {
      latenessUs.push(nowUs - dueUs);
      dueUs += gapUs;
    }
    if (latenessUs.length === count) resolve();
    return latenessUs.length === count ? Number.POSITIVE_INFINITY : dueUs;
  });
  pacer.check();
  const poking = pokes ? setInterval(() => pacer.check(), 1) : null;
  await promise;
  pacer.stop();
  if (poking !== null) clearInterval(poking);
  const { user, system } = process.threadCpuUsage(before);
  return { latenessUs, busyShare: (user + system) / (now() - beganUs) };
}

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

  it('does not burn the thread to be exact', async () => {
    const { busyShare } = await paced(5_000, 200);
    expect(busyShare).toBeLessThan(0.6);
  });

  it('hits what is far apart closer than a timer does', async () => {
    const { latenessUs } = await paced(40, 10_300);
    const sorted = latenessUs.toSorted((one, other) => one - other);
    expect(sorted[20]).toBeLessThan(500);
  });

  it('starts nothing once it is stopped', async () => {
    let turns = 0;
    const pacer = new Pacer(now, () => {
      turns += 1;
      return now() + 2_000;
    });
    pacer.check();
    pacer.stop();
    pacer.check();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(turns).toBe(1);
  });
});
