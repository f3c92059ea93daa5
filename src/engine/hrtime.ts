/** Microseconds on the machine's monotonic clock, which all its threads and processes share. */
export function hrtimeUs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000_000 + nanoseconds / 1_000;
}
