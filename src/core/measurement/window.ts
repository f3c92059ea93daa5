import type { Outcome } from './ledger.ts';
import type { Histogram } from '#core/statistics/histogram.ts';

/**
 * The kinds of time that are recorded, each in a histogram of microseconds. `Ok` are requests whose outcome is `ok`, `Failed`
 * those that were answered completely and yet failed (`httpError`, `wrongBody`); requests without a complete answer have no
 * time, only an outcome. In the closed model `connections` the intended start is the actual start, so the response times are
 * the service times and are not recorded twice, and no request is late (`scheduleLag`: actual − intended start). The service times
 * of each class of status but 2xx are kept once more: 2xx is what remains. `waited` is how long a result was
 * polled for until it came. At the step of a page, `page` is how long whole pages took (from the intended start of their first request to
 * the end of the last thing that they link to), `pageFailed` the same of those of which something failed. At a kind of resource, `perPage`
 * holds no times but how many of it single pages asked for: a largest number that merges as times do. New kinds are added at the end.
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
  'waited',
  'page',
  'pageFailed',
  'perPage',
] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/** What one of several servers did, as far as it can be told which of them it was. */
export interface ServerCount {
  /** Complete answers, good or not. */
  answered: number;
  /** Requests that ended without being ok. */
  failed: number;
  /** Of the failed, those without a complete answer. */
  unanswered: number;
  /** Sum of the service times of the complete answers, in microseconds. */
  serviceUs: number;
}

/** Complete answers by where their headers say that they came from: see `cameFromCache`. Those that do not say are what remains of all. */
export interface CacheCount {
  fromCache: number;
  fromServer: number;
  /** Sums of their service times, in microseconds. */
  fromCacheUs: number;
  fromServerUs: number;
}

/** One of the first answers of a step of a stage. */
export interface EarlyAnswer {
  /** When the request was intended to start (in the model of connections: started), in whole µs from the start of the run. */
  readonly startUs: number;
  /** From then to the last byte, in whole µs. */
  readonly responseUs: number;
  readonly ok: boolean;
}

/**
 * Counters and histograms of one step of one stage (the stage of the intended start) in one window of time (of completion). Requests of
 * a stage whose users do not all run yet have a stage number of their own: see `startUpStage` in src/core/work/load/stages.ts.
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
  /** Journeys of this stage that started in this window, counted at their first step. */
  journeysStarted: number;
  /** Journeys of this stage that were due in this window and did not start, by whose fault; counted at their first step. */
  notStartedTarget: number;
  notStartedGenerator: number;
  /** Results that began to be waited for (the first answer of a poll); those that came are counted in the times `waited`. */
  waitsBegun: number;
  /** By server, where several share the work: see `serverNames`. */
  servers: Record<string, ServerCount>;
  /** Left out where no answer says it, or nobody asks. */
  cache?: CacheCount;
  /** Of the stage's first complete answers, by intended start, those that came in this window: at most EARLY_ANSWERS. */
  early: EarlyAnswer[];
  times: Partial<Record<TimeKind, Histogram>>;
}

/**
 * What came in one window while a stage was loaded, of one step: the rates of that stage. It counts whichever stage had asked for it, so what
 * is answered in the drain is in none, and no rate loses the share that the time of an answer has of its stage.
 */
export interface LoadedCount {
  readonly stage: number;
  readonly step: number;
  /** Complete answers, and those of them that were good. */
  answered: number;
  ok: number;
  bytesReceived: number;
  /** Complete pages. */
  pages: number;
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

/** Side calls of one step in one window: requests that are part of no figure. */
export interface SideCell {
  readonly step: number;
  started: number;
  outcomes: Partial<Record<Outcome, number>>;
  errors: Record<string, number>;
}

/** {@link Window.side} */
export interface SideCalls {
  cells: SideCell[];
  /** Unanswered at the end of the window. */
  inFlight: number;
}

/**
 * What happened in the seconds [second, second + width) of a run, for one thread, one machine or all of them. Windows of the
 * same `second` and `width` merge by addition, and so do neighbouring ones (a fold); both are associative and commutative.
 */
export interface Window {
  readonly second: number;
  readonly width: number;
  cells: Cell[];
  /** At most one for each stage and step. Left out by versions that did not tell it apart: see `loadedOf`. */
  loaded?: LoadedCount[];
  journeys: JourneyCounts;
  /** Requests unanswered at the end of the window. */
  inFlight: number;
  /** Left out where none were made. */
  side?: SideCalls;
  /** Why the generator is not to be trusted in this window: empty when healthy. Windows are never folded across a change of it. */
  sick: SickCause[];
}

/** See docs/method.md: the conditions under which a second of the generator is called sick. */
export const SICK_CAUSES = ['threadCpu', 'eventLoopDelay', 'steal', 'scheduleLag', 'noPort', 'noFile', 'threadWait', 'standstill'] as const;
export type SickCause = (typeof SICK_CAUSES)[number];
