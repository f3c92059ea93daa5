import type {
  CACHE_COUNTERS,
  CELL_COUNTERS,
  Counters,
  JOURNEY_COUNTERS,
  LOADED_COUNTERS,
  SERVER_COUNTERS,
  STREAM_COUNTERS,
} from './counters.ts';
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
 * holds no times but how many of it single pages asked for: a largest number that merges as times do. At the step of a stream, `firstEvent`
 * is the time from its opening to the first event, `eventGap` that between two reads with events, `eventDelay` that from the instant that an
 * event says it was sent at until it came, `streamHeld` how long streams lasted that were cut, and `silence` how long they had been silent by then.
 * `lookup` is the time that a request waited for the name lookup of its host.
 * New kinds are added at the end.
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
  'firstEvent',
  'eventGap',
  'eventDelay',
  'streamHeld',
  'silence',
  'lookup',
] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/** What one of several servers did, as far as it can be told which of them it was. */
export type ServerCount = Counters<typeof SERVER_COUNTERS>;

/** Complete answers by where their headers say that they came from: see `cameFromCache`. Those that do not say are what remains of all. */
export type CacheCount = Counters<typeof CACHE_COUNTERS>;

/** What streams did; left out of cells whose step is none. */
export type StreamCount = Counters<typeof STREAM_COUNTERS>;

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
export interface Cell extends Counters<typeof CELL_COUNTERS> {
  readonly stage: number;
  readonly step: number;
  /** Completions in this window by outcome; what is missing is 0. */
  outcomes: Partial<Record<Outcome, number>>;
  /** Complete answers by status code. No record: one with the name 404 holds room for all lower numbers. */
  statuses: Map<number, number>;
  /**
   * By the names of core/base/errorNames.ts: failures without a complete answer, e.g. `ECONNREFUSED@connect`, and answers with wrong content by the
   * first check that they failed.
   */
  errors: Record<string, number>;
  /** By server, where several share the work: see `serverNames`. */
  servers: Record<string, ServerCount>;
  /** Left out where no answer says it, or nobody asks. */
  cache?: CacheCount;
  /** Left out where no stream was opened, ended or read. */
  streams?: StreamCount;
  /** Of the stage's first complete answers, by intended start, those that came in this window: at most EARLY_ANSWERS. */
  early: EarlyAnswer[];
  times: Partial<Record<TimeKind, Histogram>>;
}

/**
 * What came in one window while a stage was loaded, of one step: the rates of that stage. It counts whichever stage had asked for it, so what
 * is answered in the drain is in none, and no rate loses the share that the time of an answer has of its stage.
 */
export interface LoadedCount extends Counters<typeof LOADED_COUNTERS> {
  readonly stage: number;
  readonly step: number;
}

/** Counts of journeys in one window. */
export type JourneyCounts = Counters<typeof JOURNEY_COUNTERS>;

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
  /** At most one for each stage and step. */
  loaded: LoadedCount[];
  journeys: JourneyCounts;
  /** Requests unanswered at the end of the window. */
  inFlight: number;
  /** Left out where none were made. */
  side?: SideCalls;
  /** Why the generator is not to be trusted in this window: empty when healthy. Windows are never folded across a change of it. */
  sick: SickCause[];
}

/** See docs/method.md: the conditions under which a second of the generator is called sick. */
export const SICK_CAUSES = [
  'threadCpu',
  'eventLoopDelay',
  'steal',
  'scheduleLag',
  'noPort',
  'noFile',
  'threadWait',
  'standstill',
  'browser',
] as const;
export type SickCause = (typeof SICK_CAUSES)[number];

/** Without a turn for so long, a thread was not only busy: it, its process or its machine stood still. */
export const STANDSTILL_US = 1_000_000;
