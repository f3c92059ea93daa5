import {
  endedCount,
  goodTimes,
  countRequestOutcomes,
  responseTimes,
  sentCount,
  serviceTimes,
  timesByStatusClass,
} from '#core/measurement/cellFigures.ts';
import { type LatencySummary, summarize } from '#core/statistics/latency.ts';
import type { Cell, LoadedCount, TimeKind } from '#core/measurement/window.ts';
import type { RunResult } from './schema.ts';

/** Figures shared by a run, a stage, a step and a step within a stage. */
export type StepFigures = Omit<RunResult['steps'][number], 'name' | 'budget'>;

/**
 * Computes the figures of `cell`. Rates are `loaded` over `seconds` (0: unknown). `firstBodyLength`: length of the first complete response. Requests that
 * never ended count as requests without a response. Error-adjusted times also count journeys that could not start because too many responses were
 * outstanding.
 */
export function computeStepFigures(cell: Cell, loaded: LoadedCount, seconds: number, firstBodyLength: number | null): StepFigures {
  const withoutResponse = cell.started - endedCount(cell);
  const failed = cell.started - (cell.outcomes.ok ?? 0) + cell.notStartedTarget;
  const perSecond = (count: number): number | null => (seconds <= 0 ? null : count / seconds);
  const phase = (kind: TimeKind): LatencySummary | null => (cell.times[kind] === undefined ? null : summarize(cell.times[kind]));
  return {
    requests: countRequestOutcomes([cell], Math.max(0, withoutResponse)),
    latency: {
      service: summarize(serviceTimes(cell)),
      response: summarize(responseTimes(cell)),
      errorAdjusted: summarize(goodTimes(cell), Math.max(0, failed)),
    },
    phases: {
      lookup: phase('lookup'),
      connect: phase('connect'),
      tls: phase('tls'),
      firstByte: phase('firstByte'),
      transfer: phase('transfer'),
      scheduleLag: phase('scheduleLag'),
    },
    ...(cell.times.sessionAge === undefined ? {} : { sessionAge: summarize(cell.times.sessionAge) }),
    rates: {
      startedPerSecond: perSecond(sentCount(cell)),
      completedPerSecond: perSecond(loaded.responded),
      bytesPerSecond: perSecond(loaded.bytesReceived),
    },
    status: Object.fromEntries(cell.statuses),
    latencyByStatusClass: Object.fromEntries(timesByStatusClass(cell).map(([name, times]) => [name, summarize(times)])),
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
    sessionsResumed: cell.sessionsResumed,
    requestsResent: cell.requestsResent,
    responsesUnchecked: cell.responsesUnchecked,
  };
}
