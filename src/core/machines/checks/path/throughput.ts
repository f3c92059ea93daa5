/** Bytes that came at an instant. */
export interface Arrival {
  readonly atMs: number;
  readonly bytes: number;
}

/** From the first byte of a transfer to its last. */
export interface Transfer {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Throughput {
  /** Contents, in 10^6 bit/s. */
  readonly megabits: number;
  /** The line was the limit; else there is room for more, and `megabits` is a lower bound. */
  readonly isFull: boolean;
  /** Length of what was measured. */
  readonly seconds: number;
}

/** Less says nothing of a line. */
const LEAST_BYTES = 65_536;
/** What comes first grows slowly (TCP's start), or passes at once (buckets of limits that are still full), and is left out. */
const LEFT_OUT_SHARE = 0.25;
/** A line over which nothing comes for longer than this was waiting for somebody. */
const BUSY_SHARE = 0.8;

/**
 * What a line carries: the bytes after the first quarter by the time that they took. It was full when something was under way nearly all of that time
 * and the rate is one that can be measured so. null when too little came. Arrivals are in the order of time.
 */
export function throughputOf(arrivals: readonly Arrival[], transfers: readonly Transfer[], mostMegabits: number): Throughput | null {
  const all = arrivals.reduce((sum, { bytes }) => sum + bytes, 0);
  if (all < LEAST_BYTES) return null;
  let before = 0;
  const start = arrivals.find(({ bytes }) => (before += bytes) >= all * LEFT_OUT_SHARE);
  const end = arrivals.at(-1);
  if (start === undefined || end === undefined || end.atMs <= start.atMs) return null;
  const lengthMs = end.atMs - start.atMs;
  const megabits = ((all - before) * 8) / 1_000 / lengthMs;
  const isBusy = coveredMs(transfers, start.atMs, end.atMs) >= BUSY_SHARE * lengthMs;
  return { megabits: Math.min(megabits, mostMegabits), isFull: isBusy && megabits < mostMegabits, seconds: lengthMs / 1_000 };
}

/** How much of a span is covered by transfers, which may overlap. */
function coveredMs(transfers: readonly Transfer[], fromMs: number, toMs: number): number {
  let covered = 0;
  let until = fromMs;
  for (const transfer of [...transfers].sort((one, other) => one.fromMs - other.fromMs)) {
    const begin = Math.max(until, transfer.fromMs);
    const end = Math.min(toMs, transfer.toMs);
    if (end <= begin) continue;
    covered += end - begin;
    until = end;
  }
  return covered;
}
