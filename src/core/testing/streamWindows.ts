import { zeroCounters, STREAM_COUNTERS } from '#core/measurement/counters.ts';
import type { StreamCount, TimeKind, Window } from '#core/measurement/window.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';

interface StreamFacts extends Partial<StreamCount> {
  readonly second: number;
  readonly stage?: number;
  /** Times in ms by kind, with the number of occurrences. */
  readonly times?: Partial<Record<TimeKind, readonly { readonly count: number; readonly ms: number }[]>>;
  /** Number of requests that failed in this second. */
  readonly failed?: number;
}

/** Returns a window of one second of the streams of the first step. Each stream opens in the second of its request. */
export function streamWindow({ second, stage = 0, times = {}, failed = 0, ...counts }: StreamFacts): Window {
  const window = emptyWindow(second, 1);
  const cell = findOrAddCell(window, stage, 0);
  cell.streams = { ...zeroCounters(STREAM_COUNTERS), ...counts };
  const { opened } = cell.streams;
  cell.started = opened + failed;
  cell.journeysStarted = cell.streams.opened - cell.streams.reopened;
  cell.outcomes = { ok: opened, refused: failed };
  if (opened > 0) cell.statuses.set(200, opened);
  window.journeys.started = cell.journeysStarted;
  window.journeys.finished = cell.journeysStarted;
  const all = { serviceOk: [{ count: opened, ms: 3 }], ...times };
  for (const [kind, groups] of Object.entries(all) as [TimeKind, readonly { count: number; ms: number }[]][]) {
    const histogram = createHistogram();
    for (const { count, ms } of groups) for (let index = 0; index < count; index += 1) record(histogram, ms * 1_000);
    cell.times[kind] = histogram;
  }
  return window;
}
