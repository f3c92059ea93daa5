import { endedCount, requestLedgerOf, responseTimes, serviceTimes, answeredCount, goodTimes } from '../stats/cellFigures.ts';
import { summarize } from '../stats/latency.ts';
import type { Cell } from '../stats/window.ts';
import type { RunResult } from './result.ts';

/** The figures that a run, a stage, a step and a step within a stage have in common. */
export type Slice = Omit<RunResult['steps'][number], 'name'>;

/**
 * Figures of everything in `cell`, of which `late` completed after the load, in the drain: it is left out of the rates.
 * `seconds` is how long there was load (0: rates are not known), `firstBodyLength` the length of the first complete answer.
 * Requests that never ended count as unanswered.
 */
export function sliceOf(cell: Cell, late: Cell, seconds: number, firstBodyLength: number | null): Slice {
  const unanswered = cell.started - endedCount(cell);
  const failed = cell.started - (cell.outcomes.ok ?? 0);
  const perSecond = (count: number): number | null => (seconds <= 0 ? null : count / seconds);
  return {
    requests: requestLedgerOf(cell, Math.max(0, unanswered)),
    latency: {
      service: summarize(serviceTimes(cell)),
      response: summarize(responseTimes(cell)),
      errorAdjusted: summarize(goodTimes(cell), Math.max(0, failed)),
    },
    phases: {
      connect: cell.times.connect === undefined ? null : summarize(cell.times.connect),
      tls: cell.times.tls === undefined ? null : summarize(cell.times.tls),
      firstByte: cell.times.firstByte === undefined ? null : summarize(cell.times.firstByte),
    },
    rates: {
      startedPerSecond: perSecond(cell.started),
      completedPerSecond: perSecond(answeredCount(cell) - answeredCount(late)),
      bytesPerSecond: perSecond(cell.bytesReceived - late.bytesReceived),
    },
    status: { ...cell.statuses },
    errors: { ...cell.errors },
    bytes: { received: cell.bytesReceived, sent: cell.bytesSent, body: cell.bodyBytes },
    bodyLength: {
      first: firstBodyLength,
      differs: cell.bodyLengthDiffers,
      deviationBytes: cell.bodyLengthDeviation,
      empty: cell.bodyEmpty,
    },
    connectionsOpened: cell.connectionsOpened,
    requestsOnReusedConnection: cell.requestsOnReusedConnection,
  };
}
