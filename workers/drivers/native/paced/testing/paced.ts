import { createSharedClock } from '#workers/clock.ts';
import { Pacer } from '../pacer.ts';

const now = createSharedClock();

/**
 * Runs a pacer over `count` due times that are `gapUs` apart. Returns how late each due time was, and the share of the time in which the
 * thread was busy.
 */
export async function paced(
  count: number,
  gapUs: number,
  pokes = false,
  isCoreFree = false,
): Promise<{ readonly latenessUs: number[]; readonly busyShare: number }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const latenessUs: number[] = [];
  const before = process.threadCpuUsage();
  const beganUs = now();
  let dueUs = beganUs + 5_000;
  const pacer = new Pacer(
    now,
    () => {
      for (let nowUs = now(); dueUs <= nowUs && latenessUs.length < count; nowUs = now()) {
        latenessUs.push(nowUs - dueUs);
        dueUs += gapUs;
      }
      if (latenessUs.length === count) resolve();
      return latenessUs.length === count ? Number.POSITIVE_INFINITY : dueUs;
    },
    () => isCoreFree,
  );
  pacer.check();
  const poking = pokes ? setInterval(() => pacer.check(), 1) : null;
  await promise;
  pacer.stop();
  if (poking !== null) clearInterval(poking);
  const { user, system } = process.threadCpuUsage(before);
  return { latenessUs, busyShare: (user + system) / (now() - beganUs) };
}
