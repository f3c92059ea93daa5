const TRIES = 3;

/** Microseconds of this thread's processor time: the least of three tries, as others use the machine too. One below `enoughUs` needs no other. */
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

/** Growth beyond this, three times in a row, is no noise of a busy machine. */
export const MAX_GROWTH = 9;

/**
 * How many times as long a piece of work takes with four times the input: about 4 when it is linear, 16 when it is quadratic. What is once below
 * `MAX_GROWTH` is not measured again.
 */
export function measureGrowth(work: (size: number) => void, size: number): number {
  // Compiled by now.
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
