import type {
  CACHE_COUNTERS,
  CELL_COUNTERS,
  DUET_COUNTERS,
  Counters,
  JOURNEY_COUNTERS,
  LOADED_COUNTERS,
  SERVER_COUNTERS,
  STREAM_COUNTERS,
} from './counters.ts';
import type { PeopleChanges } from './people.ts';
import type { Outcome } from './requestOutcomes.ts';
import type { Histogram } from '#core/statistics/histogram.ts';

/**
 * Kinds of recorded times, each in a histogram of microseconds.
 *
 * - `…Ok`: requests with outcome `ok`. `…Failed`: requests with a complete response that failed (`httpError`, `wrongBody`). Requests
 * without a complete response have no time.
 * - In the closed model `connections`, the intended start is the actual start. Response times then equal service times and are not
 * recorded, and `scheduleLag` (actual − intended start) is empty.
 * - `service1xx` to `service5xx` hold the service times of a status class once more. 2xx is the remainder.
 * - `waited`: from the first request of a poll to its result.
 * - `page`: whole pages, from the intended start of the first request to the end of the last linked resource. `pageFailed`: pages with a
 * failed part.
 * - `perPage` holds counts, not times: how many resources of a kind a page requested. The maximum merges like a time.
 * - `firstEvent`: from opening a stream to its first event. `eventGap`: between two reads with events. `eventDelay`: from the sending time
 * in an event to its arrival. `streamHeld`: duration of streams that were cut. `silence`: time since the last event when a stream was cut.
 * - `lookup`: wait for the name lookup of the host.
 * - `sessionAge`: age of a login when a step was first refused that had been successful with it.
 * - `bellStart`: from a bell to the start of the request of a user who waited for it. `bellServed`: from the bell to the end of the step,
 * if the step was successful. `bellFailed`: the same if the step failed.
 * - `placeGiven`: from the first bell, or from the start of the load without one, until a request was written whose user got a place.
 * `placeRefused`: the same for a user who saw that no place was left.
 *
 * New kinds are appended.
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
  'sessionAge',
  'bellStart',
  'bellServed',
  'bellFailed',
  'placeGiven',
  'placeRefused',
] as const;
export type TimeKind = (typeof TIME_KINDS)[number];

/** Counts of one of several servers, if responses identify the server. */
export type ServerCount = Counters<typeof SERVER_COUNTERS>;

/** Complete responses from a cache and from behind it, by headers (`cameFromCache`). Responses without cache headers are in neither. */
export type CacheCount = Counters<typeof CACHE_COUNTERS>;

/** Counts of streams. Omitted from cells of other steps. */
export type StreamCount = Counters<typeof STREAM_COUNTERS>;

/** One of the first responses to a step in a stage. */
export interface EarlyResponse {
  /** Intended start of the request in whole µs from the start of the run. In the model `connections`, it is the actual start. */
  readonly startUs: number;
  /** Time from `startUs` to the last byte, in whole µs. */
  readonly responseUs: number;
  readonly ok: boolean;
}

/**
 * Counters and histograms of one step and stage in one window. The intended start determines the stage, and the completion determines the
 * window. Requests of a stage that is still starting users have a separate stage number: see `startUpStage` in
 * src/core/work/load/stages.ts.
 */
export interface Cell extends Counters<typeof CELL_COUNTERS> {
  readonly stage: number;
  /** Index of the request in `listRecordedRequests`. The steps of the journey come first, at their own positions. */
  readonly step: number;
  /** Completions in this window by outcome. A missing outcome is 0. */
  outcomes: Partial<Record<Outcome, number>>;
  /** Complete responses by status code. A Map, because an object with the key 404 allocates room for all lower keys. */
  statuses: Map<number, number>;
  /**
   * Failures by the names of core/base/errorNames.ts. Requests without a complete response are named, for example, `ECONNREFUSED@connect`.
   * Responses with wrong content are named by the first check that failed.
   */
  errors: Record<string, number>;
  /** Counts by server, if several share the work: see `serverNames`. */
  servers: Record<string, ServerCount>;
  /** Counts of responses from a cache and from behind it. Omitted if no response reports which, or if the plan does not count them. */
  cache?: CacheCount;
  /** Counts of streams. Omitted if no stream was opened, ended or read. */
  streams?: StreamCount;
  /** Complete responses in this window that are among the first of the stage, by intended start. There are at most EARLY_RESPONSES. */
  early: EarlyResponse[];
  times: Partial<Record<TimeKind, Histogram>>;
}

/**
 * Responses of one step received in one window while the load of a stage was running, from which the stage's rates are computed. Responses
 * count in the stage in which they arrive, even if another stage sent their requests. Responses in the drain belong to no stage.
 */
export interface LoadedCount extends Counters<typeof LOADED_COUNTERS> {
  readonly stage: number;
  readonly step: number;
}

/** Responses of one variant of a duet received in one window, by the pair of slots of their requests. */
export interface DuetCount extends Counters<typeof DUET_COUNTERS> {
  readonly pair: number;
  readonly side: 0 | 1;
}

export type JourneyCounts = Counters<typeof JOURNEY_COUNTERS>;

/** Side calls of one step in one window: requests that count in no figure. */
export interface SideCell {
  readonly step: number;
  started: number;
  outcomes: Partial<Record<Outcome, number>>;
  errors: Record<string, number>;
}

/** See {@link Window.side}. */
export interface SideCalls {
  cells: SideCell[];
  /** Number of side calls outstanding at the end of the window. */
  inFlight: number;
}

/**
 * Events in the seconds [second, second + width) of a run, for one thread, one machine or all of them. Windows of the same `second` and
 * `width` are merged by addition, and so are neighbouring ones (a fold). Both operations are associative and commutative.
 */
export interface Window {
  readonly second: number;
  readonly width: number;
  cells: Cell[];
  /** Counts for rates, at most one for each stage and step. */
  loaded: LoadedCount[];
  journeys: JourneyCounts;
  /** Number of requests outstanding at the end of the window. */
  inFlight: number;
  /** Side calls; omitted if there are none. */
  side?: SideCalls;
  /** People whose state changed; omitted if there are none. */
  people?: PeopleChanges;
  /** At most one for each pair and variant; omitted without a duet. */
  duet?: DuetCount[];
  /**
   * Causes of the load generator's overload in this window; empty if it was not overloaded. Windows with different causes are never folded
   * together.
   */
  overloadedBy: OverloadCause[];
}

/** Conditions under which the load generator counts as overloaded in a second: see docs/method.md. */
export const OVERLOAD_CAUSES = [
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
export type OverloadCause = (typeof OVERLOAD_CAUSES)[number];

/** Length of a pause from which a thread's process or machine stood still rather than being busy. */
export const STANDSTILL_US = 1_000_000;
