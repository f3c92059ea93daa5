import type { Outcome } from '../ledger.ts';
import type { Histogram } from './histogram.ts';

/**
 * The kinds of time that are recorded, each in a histogram of microseconds. `Ok` are requests whose outcome is `ok`, `Failed`
 * those that were answered completely and yet failed (`httpError`, `wrongBody`); requests without a complete answer have no
 * time, only an outcome. In the closed model `connections` the intended start is the actual start, so the response times are
 * the service times and are not recorded twice, and no request is late (`scheduleLag`: actual − intended start). The service times
 * of each class of status but 2xx are kept once more: 2xx is what remains. New kinds are added at the end.
 */
export const TIME_KINDS = [
  'serviceOk',
  'serviceFailed',
  'responseOk',
  'responseFailed',
  'connect',
  'tls',
  'firstByte',
  'transfer',
  'scheduleLag',
  'service1xx',
  'service3xx',
  'service4xx',
  'service5xx',
] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/**
 * Counters and histograms of one step of one stage (the stage of the intended start) in one window of time (of completion). Requests of
 * a stage whose users do not all run yet have a stage number of their own: see `startUpStage` in src/core/load/stages.ts.
 */
export interface Cell {
  readonly stage: number;
  readonly step: number;
  /** Requests whose actual start lies in this window. */
  started: number;
  /** Completions in this window by outcome; what is missing is 0. */
  outcomes: Partial<Record<Outcome, number>>;
  /** Complete answers by status code. */
  statuses: Record<string, number>;
  /**
   * Failures without a complete answer by `CODE@phase`, e.g. `ECONNREFUSED@connect`, and answers with wrong content by the first check
   * that they failed: `CODE what was looked for@check`.
   */
  errors: Record<string, number>;
  /** All bytes read and written on the sockets, headers included. */
  bytesReceived: number;
  bytesSent: number;
  /** Body bytes of complete answers. */
  bodyBytes: number;
  /** Complete answers whose body length differs from the run's first answer to this step, and the signed sum of differences in bytes. */
  bodyLengthDiffers: number;
  bodyLengthDeviation: number;
  /** Complete answers without any body byte although the first answer to this step had some. */
  bodyEmpty: number;
  /** Connections opened in this window, and requests that were answered on a connection used before. */
  connectionsOpened: number;
  requestsOnReusedConnection: number;
  /** Journeys of this stage that were due in this window and did not start, by whose fault; counted at their first step. */
  notStartedTarget: number;
  notStartedGenerator: number;
  times: Partial<Record<TimeKind, Histogram>>;
}

/** Counts of journeys in one window. */
export interface JourneyCounts {
  started: number;
  finished: number;
  abandoned: number;
  notStartedTarget: number;
  notStartedGenerator: number;
  notStartedStopped: number;
}

/**
 * What happened in the seconds [second, second + width) of a run, for one thread, one machine or all of them. Windows of the
 * same `second` and `width` merge by addition, and so do neighbouring ones (a fold); both are associative and commutative.
 */
export interface Window {
  readonly second: number;
  readonly width: number;
  cells: Cell[];
  journeys: JourneyCounts;
  /** Requests unanswered at the end of the window. */
  inFlight: number;
  /** Why the generator is not to be trusted in this window: empty when healthy. Windows are never folded across a change of it. */
  sick: SickCause[];
}

/** See docs/method.md: the conditions under which a second of the generator is called sick. */
export const SICK_CAUSES = ['threadCpu', 'eventLoopDelay', 'steal', 'scheduleLag', 'noPort', 'noFile', 'threadWait'] as const;
export type SickCause = (typeof SICK_CAUSES)[number];
