/**
 * Calculates until this process has had so many milliseconds of a processor, and returns how many it really were: the time that others take of the
 * processor does not count.
 */
export function burn(ms: number): number {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    const used = (user + system) / 1_000;
    if (used >= ms) return used;
    for (let value = 0; value < 20_000; value += 1) Math.sqrt(value);
  }
}
