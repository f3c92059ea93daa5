/**
 * How many times as long a piece of work takes with four times the input: about 4 when it is linear, 16 when it is quadratic. Of the processor time of this
 * thread, the least of several tries, as others use the machine too.
 */
export function growthOf(work: (size: number) => void, size: number, tries = 3): number {
  const leastUs = (of: number): number =>
    Math.min(
      ...Array.from({ length: tries }, () => {
        const before = process.threadCpuUsage();
        work(of);
        const { user, system } = process.threadCpuUsage(before);
        return user + system;
      }),
    );
  // Compiled by now.
  for (let time = 0; time < tries; time += 1) work(size);
  return leastUs(4 * size) / Math.max(2_000, leastUs(size));
}

/** Growth beyond this is no noise of a busy machine. */
export const MOST_GROWTH = 9;
