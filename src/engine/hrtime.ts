/** Returns the machine's monotonic clock in microseconds; all its threads and processes share it. */
export function hrtimeUs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000_000 + nanoseconds / 1_000;
}
