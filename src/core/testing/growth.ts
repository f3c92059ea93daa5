/** Microseconds of this thread's processor time: the least of several tries, as others use the machine too. */
export function leastCpuUs(work: () => void, tries = 3): number {
  return Math.min(
    ...Array.from({ length: tries }, () => {
      const before = process.threadCpuUsage();
      work();
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    }),
  );
}

/** Growth beyond this, three times in a row, is no noise of a busy machine. */
export const MOST_GROWTH = 9;

/** How many times as long a piece of work takes with four times the input: about 4 when it is linear, 16 when it is quadratic. */
export function growthOf(work: (size: number) => void, size: number, tries = 3): number {
  // Compiled by now.
  for (let time = 0; time < tries; time += 1) work(size);
  let growth = Infinity;
  for (let round = 0; round < 3 && growth >= MOST_GROWTH; round += 1) {
    const short = leastCpuUs(() => work(size), tries);
    const long = leastCpuUs(() => work(4 * size), tries);
    growth = Math.min(growth, long / Math.max(2_000, short));
  }
  return growth;
}
