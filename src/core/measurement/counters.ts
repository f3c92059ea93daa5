export type Counters<Names extends readonly string[]> = { [Name in Names[number]]: number };

/** Additive counters of a cell. Windows are encoded in this order, so new counters are appended. */
export const CELL_COUNTERS = [
  /** Number of requests whose actual start lies in this window. */
  'started',
  /** Numbers of bytes read and written on the sockets, headers included. */
  'bytesReceived',
  'bytesSent',
  /** Number of body bytes of complete responses. */
  'bodyBytes',
  /**
   * Number of complete responses whose body length differs from that of the run's first response to this step, and the signed sum of the
   * differences in bytes.
   */
  'bodyLengthDiffers',
  'bodyLengthDeviation',
  /** Number of complete responses with an empty body although the first response to this step had a body. */
  'bodyEmpty',
  /** Number of connections opened in this window, and number of requests with a response on a reused connection. */
  'connectionsOpened',
  'requestsOnReusedConnection',
  /** Number of journeys of this stage that started in this window, counted at their first step. */
  'journeysStarted',
  /**
   * Numbers of journeys of this stage that were due in this window and did not start because of the target, or because of the load
   * generator. Counted at their first step.
   */
  'notStartedTarget',
  'notStartedGenerator',
  /** Number of polls that began to wait for a result (first response of a poll). Waits that ended are counted in the times `waited`. */
  'waitsBegun',
  /** Number of connections whose TLS handshake resumed an earlier session. */
  'sessionsResumed',
  /**
   * Number of requests that were sent again. They are not failures: the server had not begun to process them (HTTP/2) or had closed the
   * reused connection.
   */
  'requestsResent',
  /** Number of complete responses that could not be checked because their bodies were too large to keep, alone or in total. */
  'responsesUnchecked',
  /** Number of users who waited at the gate of a step when its bell rang, and number of users who reached the gate later. */
  'waitedAtGate',
  'lateAtGate',
  /** Number of reloads of failed steps, and number of users of a bell who had to reload. */
  'reloads',
  'reloadedAtBell',
  /** Number of abandoned journeys, counted at the first step that failed. */
  'journeysAbandoned',
] as const;
type CellCounter = (typeof CELL_COUNTERS)[number];

/** Counters of listeners' streams and their events. */
export const STREAM_COUNTERS = [
  /** Number of streams that began, and number of streams that resumed a cut one. */
  'opened',
  'reopened',
  /** Numbers of streams that the server ended, that were lost with their connection, and that the listener closed. */
  'ended',
  'lost',
  'left',
  'events',
  /** Number of events that arrived in the same read as the previous one. */
  'together',
  /** Number of skipped sequence numbers, minus those that arrived late. */
  'missed',
  /** Number of events with a repeated sequence number, and number of events that came after one with a larger number. */
  'repeated',
  'disordered',
  /** Number of events whose sending time is later than their arrival, because clocks differ. */
  'early',
  /** Number of messages that listeners sent over their streams. */
  'sent',
] as const;
type StreamCounter = (typeof STREAM_COUNTERS)[number];

/** Counters that may be negative. */
export const SIGNED_COUNTERS: ReadonlySet<string> = new Set<CellCounter | StreamCounter>(['bodyLengthDeviation', 'missed']);

export const SERVER_COUNTERS = [
  /** Number of complete responses, successful or not. */
  'responded',
  /** Number of requests that ended with another outcome than `ok`. */
  'failed',
  /** Number of failed requests without a complete response. */
  'withoutResponse',
  /** Sum of the service times of complete responses, in microseconds. */
  'serviceUs',
] as const;

/** Complete responses by origin, and the sums of their service times, in microseconds. */
export const CACHE_COUNTERS = ['fromCache', 'fromServer', 'fromCacheUs', 'fromServerUs'] as const;

/** Counters of responses received while the load of a stage was running. */
export const LOADED_COUNTERS = [
  /** Number of complete responses, and number of successful ones among them. */
  'responded',
  'ok',
  'bytesReceived',
  /** Number of complete pages. */
  'pages',
] as const;

/** Responses of one variant of a duet to the requests of one pair of slots. */
export const DUET_COUNTERS = [
  'ok',
  'failed',
  /** Sum of the natural logarithms of the response times of successful responses: of microseconds, in millionths. */
  'logarithms',
] as const;

/** Counters of the journeys of one window. */
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
  | (typeof DUET_COUNTERS)[number]
  | (typeof JOURNEY_COUNTERS)[number];

export function fillRecord<Name extends string, Value>(names: readonly Name[], value: Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
}

/** Records of zeros by table. Copying one takes a thirtieth of the time of building one by name, and every decoded cell needs several. */
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
