export type Counters<Names extends readonly string[]> = { [Name in Names[number]]: number };

/** Additive counters of a cell. Windows are encoded in this order, so new counters are appended. */
export const CELL_COUNTERS = [
  /** Requests whose actual start lies in this window. */
  'started',
  /** Bytes read and written on the sockets, headers included. */
  'bytesReceived',
  'bytesSent',
  /** Body bytes of complete responses. */
  'bodyBytes',
  /** Complete responses whose body length differs from the run's first response to this step, and the signed sum of differences in bytes. */
  'bodyLengthDiffers',
  'bodyLengthDeviation',
  /** Complete responses with an empty body although the first response to this step had a body. */
  'bodyEmpty',
  /** Connections opened in this window, and requests with a response on a reused connection. */
  'connectionsOpened',
  'requestsOnReusedConnection',
  /** Journeys of this stage that started in this window, counted at their first step. */
  'journeysStarted',
  /** Journeys of this stage due in this window that did not start because of the target or the load generator, counted at their first step. */
  'notStartedTarget',
  'notStartedGenerator',
  /** Polls that began to wait for a result (first response of a poll). Waits that ended are counted in the times `waited`. */
  'waitsBegun',
  /** Connections whose TLS handshake resumed an earlier session. */
  'sessionsResumed',
  /** Resent requests. They are not failures: the server had not begun to process them (HTTP/2) or had closed the reused connection. */
  'requestsResent',
  /** Complete responses that could not be checked because no memory was left for their bodies. */
  'responsesUnchecked',
  /** Users who waited at the gate of a step when its bell rang, and users who reached it later. */
  'waitedAtGate',
  'lateAtGate',
  /** Reloads of failed steps, and users of a bell who had to reload. */
  'reloads',
  'reloadedAtBell',
  /** Abandoned journeys, counted at the first step that failed. */
  'journeysAbandoned',
] as const;
type CellCounter = (typeof CELL_COUNTERS)[number];

/** Streams of listeners, and their events. */
export const STREAM_COUNTERS = [
  /** Streams that began, and how many of them resumed a cut stream. */
  'opened',
  'reopened',
  /** Streams ended by the server, lost with their connection, and closed by the listener. */
  'ended',
  'lost',
  'left',
  'events',
  /** Events that arrived in the same read as the previous one. */
  'together',
  /** Skipped sequence numbers, minus those that arrived late. */
  'missed',
  /** Events with a repeated sequence number, and events after a larger one. */
  'repeated',
  'disordered',
  /** Events whose sending time is later than their arrival: the clocks differ. */
  'early',
  /** Messages that listeners sent over their streams. */
  'sent',
] as const;
type StreamCounter = (typeof STREAM_COUNTERS)[number];

/** Counters that may be negative. */
export const SIGNED_COUNTERS: ReadonlySet<string> = new Set<CellCounter | StreamCounter>(['bodyLengthDeviation', 'missed']);

export const SERVER_COUNTERS = [
  /** Complete responses, successful or not. */
  'responded',
  /** Requests that ended with another outcome than `ok`. */
  'failed',
  /** Failed requests without a complete response. */
  'withoutResponse',
  /** Sum of the service times of complete responses, in microseconds. */
  'serviceUs',
] as const;

/** Complete responses by origin, and the sums of their service times, in microseconds. */
export const CACHE_COUNTERS = ['fromCache', 'fromServer', 'fromCacheUs', 'fromServerUs'] as const;

/** Responses received while a stage was loaded. */
export const LOADED_COUNTERS = [
  /** Complete responses, and the successful ones among them. */
  'responded',
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

export type CounterName =
  | CellCounter
  | (typeof SERVER_COUNTERS)[number]
  | (typeof CACHE_COUNTERS)[number]
  | StreamCounter
  | (typeof LOADED_COUNTERS)[number]
  | (typeof JOURNEY_COUNTERS)[number];

export function fillRecord<Name extends string, Value>(names: readonly Name[], value: Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
}

/** Zeroed records by table. Copying one takes a thirtieth of the time of building one by name, and every decoded cell needs several. */
const ZERO_COUNTERS = new Map<readonly string[], Readonly<Record<string, number>>>();

/** Returns counters at 0. `names` must be a constant table, because it is cached by identity. */
export function zeroCounters<Name extends string>(names: readonly Name[]): Record<Name, number> {
  let zeros = ZERO_COUNTERS.get(names);
  if (zeros === undefined) ZERO_COUNTERS.set(names, (zeros = fillRecord(names, 0)));
  return { ...zeros } as Record<Name, number>;
}

export function addCounters<Name extends CounterName>(
  names: readonly Name[],
  into: Record<Name, number>,
  from: Readonly<Record<Name, number>>,
): void {
  for (const name of names) into[name] += from[name];
}
