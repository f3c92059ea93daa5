/** How many times as long a piece of work takes with twice the input: about 2 when it is linear, 4 when it is quadratic. The least of several tries, as others use the machine too. */
export function growthOf(work: (size: number) => void, size: number, tries = 5): number {
  const leastMs = (of: number): number =>
    Math.min(
      ...Array.from({ length: tries }, () => {
        const beganAt = performance.now();
        work(of);
        return performance.now() - beganAt;
      }),
    );
  work(size);
  return leastMs(size * 2) / Math.max(0.5, leastMs(size));
}
