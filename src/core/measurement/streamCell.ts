import { type Histogram, newTotalHistogram } from '#core/statistics/histogram.ts';
import type { Outcome } from './ledger.ts';
import { STEPS_APART } from './pageCell.ts';
import type { Cell, StreamCount } from './window.ts';
import { emptyCell } from './windowFold.ts';

/** Numbers of steps from here on stand for the events that came over their streams, and for the streams themselves. */
const FIRST_EVENTS = 2 * STEPS_APART;
const FIRST_STREAMS = 3 * STEPS_APART;

export function eventsStep(step: number): number {
  return FIRST_EVENTS + step;
}

export function streamsStep(step: number): number {
  return FIRST_STREAMS + step;
}

/** Streams that were cut: by their server or by the network. */
export function cutCount({ ended, lost }: Pick<StreamCount, 'ended' | 'lost'>): number {
  return ended + lost;
}

/**
 * The events of a cell and its streams, each as if it had been one request: an event that came is good and took as long as it was under way, one
 * that was missed failed; a stream that its listener left is good, one that was cut failed, and one that is still held is counted when it ends.
 * None where no stream did anything.
 */
export function streamCellsOf(cell: Cell): Cell[] {
  const { streams, times } = cell;
  if (streams === undefined) return [];
  const missed = Math.max(0, streams.missed);
  const like = (step: number, started: number, outcomes: Partial<Record<Outcome, number>>, ofOk?: Histogram): Cell => ({
    ...emptyCell(cell.stage, step),
    started,
    outcomes,
    times: { responseOk: ofOk ?? newTotalHistogram() },
  });
  const cut = cutCount(streams);
  return [
    like(eventsStep(cell.step), streams.events + missed, { ok: streams.events, timeout: missed }, times.eventDelay),
    like(streamsStep(cell.step), streams.left + cut, { ok: streams.left, reset: cut }),
  ];
}
