import { type Histogram, createTotalHistogram } from '#core/statistics/histogram.ts';
import type { Outcome } from './requestOutcomes.ts';
import { MAX_STEPS } from './pageCell.ts';
import type { Cell, StreamCount } from './window.ts';
import { emptyCell } from './windowFold.ts';

/** Offsets of the step numbers for the events of streams, and for the streams themselves. */
const FIRST_EVENTS = 2 * MAX_STEPS;
const FIRST_STREAMS = 3 * MAX_STEPS;

export function stepNumberOfEvents(step: number): number {
  return FIRST_EVENTS + step;
}

export function stepNumberOfStreams(step: number): number {
  return FIRST_STREAMS + step;
}

export function cutCount({ ended, lost }: Pick<StreamCount, 'ended' | 'lost'>): number {
  return ended + lost;
}

/**
 * Converts the events and streams of a cell to requests. An event that arrived is `ok`, with its delay as response time; a missed event
 * failed. A stream that its listener closed is `ok`; a cut stream failed. A stream that is still open counts when it ends. Returns no cells
 * without stream activity.
 */
export function listStreamCells(cell: Cell): Cell[] {
  const { streams, times } = cell;
  if (streams === undefined) return [];
  const missed = Math.max(0, streams.missed);
  const makeCell = (step: number, started: number, outcomes: Partial<Record<Outcome, number>>, ofOk?: Histogram): Cell => ({
    ...emptyCell(cell.stage, step),
    started,
    outcomes,
    times: { responseOk: ofOk ?? createTotalHistogram() },
  });
  const cut = cutCount(streams);
  return [
    makeCell(stepNumberOfEvents(cell.step), streams.events + missed, { ok: streams.events, timeout: missed }, times.eventDelay),
    makeCell(stepNumberOfStreams(cell.step), streams.left + cut, { ok: streams.left, reset: cut }),
  ];
}

/**
 * Converts the waits of a polling step to requests. A wait begins with the first request of a poll and succeeds with the result. Any failed
 * request of the poll ends the wait.
 */
export function makeWaitCell(cell: Cell): Cell {
  const { scheduleLag, waited } = cell.times;
  return {
    ...cell,
    started: cell.waitsBegun,
    outcomes: { ...cell.outcomes, ok: waited?.totalCount ?? 0 },
    times: { ...(scheduleLag === undefined ? {} : { scheduleLag }), ...(waited === undefined ? {} : { responseOk: waited }) },
  };
}
