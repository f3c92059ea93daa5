const TRIES = 3;

/**
 * Returns the processor time of this thread for `work` in microseconds. It is the minimum of three attempts, because other programs use the
 * machine, too. An attempt below `enoughUs` is the last.
 */
export function leastCpuUs(work: () => void, enoughUs = 0): number {
  let least = Infinity;
  for (let tried = 0; tried < TRIES && least >= enoughUs; tried += 1) {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** Maximum growth. Exceeding it three times in a row is not the noise of a busy machine. */
export const MAX_GROWTH = 9;

/**
 * Returns how many times as long `work` takes with four times the input: about 4 if its time is linear, and 16 if it is quadratic. A ratio
 * below `MAX_GROWTH` is not measured again.
 */
export function measureGrowth(work: (size: number) => void, size: number): number {
  // The first call compiles the code.
  work(size);
  let growth = Infinity;
  for (let round = 0; round < 3 && growth >= MAX_GROWTH; round += 1) {
    const short = Math.max(
      2_000,
      leastCpuUs(() => work(size)),
    );
    const long = leastCpuUs(() => work(4 * size), MAX_GROWTH * short);
    growth = Math.min(growth, long / short);
  }
  return growth;
}
