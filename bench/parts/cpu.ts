import { medianOf } from '../figures/statistics.ts';
import { formatFigure } from '../output/table.ts';
import type { Measurement } from '../running/measureSubject.ts';
import type { Track } from '../running/rounds.ts';
import { byRound } from './part.ts';

interface Measured {
  readonly measurement: Measurement;
}

export const CPU_HEAD = ['CPU µs/request', 'under way'] as const;
export const CPU_CAPTION =
  'CPU time is the user and system time of all threads: of the whole process including its start, and (“under way”) from the middle of the test on.';

/** Returns the CPU time of the whole process in µs per successful response. */
export function wholeRunMicroseconds({ measurement: { reading, cpuSeconds } }: Measured): number | null {
  return reading === null || cpuSeconds === null || reading.responses === 0 ? null : (cpuSeconds * 1e6) / reading.responses;
}

/**
 * Returns the CPU time in µs per successful response in the middle of the test, which is the number of busy cores divided by the responses
 * per second.
 */
export function midRunMicroseconds({ measurement: { reading, midRunCores } }: Measured): number | null {
  return reading === null || midRunCores === null || reading.responses === 0
    ? null
    : (midRunCores * 1e6 * reading.seconds) / reading.responses;
}

/** Returns both times as cells for the columns of {@link CPU_HEAD}. */
export function cpuCells<Value extends Measured>(tracks: readonly Track<Value>[], id: string): readonly string[] {
  return [wholeRunMicroseconds, midRunMicroseconds].map((pick) => formatFigure(medianOf(byRound(tracks, id, pick)), 1));
}
