/** Counts by names that are known beforehand. */
export type Counters<Names extends readonly string[]> = { [Name in Names[number]]: number };

/** Counters of a cell, all of which add up. Windows are written in this order: new ones come last. */
export const CELL_COUNTERS = [
  /** Requests whose actual start lies in this window. */
  'started',
  /** All bytes read and written on the sockets, headers included. */
  'bytesReceived',
  'bytesSent',
  /** Body bytes of complete answers. */
  'bodyBytes',
  /** Complete answers whose body length differs from the run's first answer to this step, and the signed sum of differences in bytes. */
  'bodyLengthDiffers',
  'bodyLengthDeviation',
  /** Complete answers without any body byte although the first answer to this step had some. */
  'bodyEmpty',
  /** Connections opened in this window, and requests that were answered on a connection used before. */
  'connectionsOpened',
  'requestsOnReusedConnection',
  /** Journeys of this stage that started in this window, counted at their first step. */
  'journeysStarted',
  /** Journeys of this stage that were due in this window and did not start, by whose fault; counted at their first step. */
  'notStartedTarget',
  'notStartedGenerator',
  /** Results that began to be waited for (the first answer of a poll); those that came are counted in the times `waited`. */
  'waitsBegun',
  /** Connections whose TLS handshake took up the session of an earlier one. */
  'sessionsResumed',
  /** Requests sent again. They are no failures: the server had not begun to process them (HTTP/2), or had closed the reused connection. */
  'requestsResent',
  /** Complete responses for which a check was impossible, because there was no room to keep their bodies. */
  'responsesUnchecked',
] as const;
type CellCounter = (typeof CELL_COUNTERS)[number];

/** Streams that a listener holds open, and the events that came over them. */
export const STREAM_COUNTERS = [
  /** Streams that began, and those of them that took up one that had been cut. */
  'opened',
  'reopened',
  /** Streams that the server ended, those whose connection was lost, and those that their listener left. */
  'ended',
  'lost',
  'left',
  'events',
  /** Events that came in the same read as the one before. */
  'together',
  /** Numbers that were skipped, less those that came late after all. */
  'missed',
  /** Events with a number that had come before, and those that came after a larger one. */
  'repeated',
  'disordered',
  /** Events that say that they were sent later than they came: two clocks differ. */
  'early',
  /** Messages that listeners sent over their streams. */
  'sent',
] as const;
type StreamCounter = (typeof STREAM_COUNTERS)[number];

/** Counters that may be below 0. */
export const SIGNED_COUNTERS: ReadonlySet<string> = new Set<CellCounter | StreamCounter>(['bodyLengthDeviation', 'missed']);

/** Of one of several servers. */
export const SERVER_COUNTERS = [
  /** Complete answers, good or not. */
  'answered',
  /** Requests that ended without being ok. */
  'failed',
  /** Of the failed, those without a complete answer. */
  'unanswered',
  /** Sum of the service times of the complete answers, in microseconds. */
  'serviceUs',
] as const;

/** Complete answers by where they came from, and the sums of their service times, in microseconds. */
export const CACHE_COUNTERS = ['fromCache', 'fromServer', 'fromCacheUs', 'fromServerUs'] as const;

/** What came while a stage was loaded. */
export const LOADED_COUNTERS = [
  /** Complete answers, and those of them that were good. */
  'answered',
  'ok',
  'bytesReceived',
  /** Complete pages. */
  'pages',
] as const;

/** Journeys of one window. */
export const JOURNEY_COUNTERS = [
  'started',
  'finished',
  'abandoned',
  'notStartedTarget',
  'notStartedGenerator',
  'notStartedStopped',
] as const;

/** The name of a counter of one of these tables. */
export type CounterName =
  | CellCounter
  | (typeof SERVER_COUNTERS)[number]
  | (typeof CACHE_COUNTERS)[number]
  | StreamCounter
  | (typeof LOADED_COUNTERS)[number]
  | (typeof JOURNEY_COUNTERS)[number];

/** The same value under each name. */
export function recordOf<Name extends string, Value>(names: readonly Name[], value: Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
}

/** By table. A copy takes a thirtieth of the time of a record that is made name by name, and every cell that is read begins with some. */
const ZEROS = new Map<readonly string[], Readonly<Record<string, number>>>();

/** Counters at 0. `names`: a table that lasts. */
export function noCounters<Name extends string>(names: readonly Name[]): Record<Name, number> {
  let zeros = ZEROS.get(names);
  if (zeros === undefined) ZEROS.set(names, (zeros = recordOf(names, 0)));
  return { ...zeros } as Record<Name, number>;
}

/** Adds the counters of `from` that are named to those of `into`. */
export function addCounters<Name extends CounterName>(
  names: readonly Name[],
  into: Record<Name, number>,
  from: Readonly<Record<Name, number>>,
): void {
  for (const name of names) into[name] += from[name];
}
