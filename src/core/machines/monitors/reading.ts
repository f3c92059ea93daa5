/**
 * What was read at one instant, by key (see `Quantity`). `gauges` stand for themselves. `counters` only grow, and become what they
 * grew by in a second; a counter of seconds of processor time so becomes cores. What could not be read is left out, never 0.
 */
export interface MonitorReading {
  readonly gauges: Readonly<Record<string, number>>;
  readonly counters: Readonly<Record<string, number>>;
}

/** A reading with its instant, in milliseconds of any clock that runs evenly. */
export interface TimedReading extends MonitorReading {
  readonly atMs: number;
}
