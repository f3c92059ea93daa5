import type { ChartData, Unit } from './types.ts';
import { formatValue } from './units.ts';

const PENDING_RESULTS = 'Pending results';

/** Texts of charts. Inserted values are already formatted. */
export const chartNames = {
  units: {
    perSecond: 'per second',
    bytesPerSecond: 'per second',
    ms: 'response time',
    count: 'count',
    share: 'share',
    bytes: 'amount',
    cores: 'cores in use',
  },
  /** How the delay of an event is defined. */
  eventDelay: 'from sent to received',
  /** How the counts of an opening are defined. */
  opening: (step: string) => `users at “${step}”`,
  /** How the times of visits are defined. */
  visits: 'largest paint of each visit, from the start of its navigation',
  slowedVisits: 'slowed by the browser’s computer',
  slowedVisitsLabel: 'slowed',
  latencyUnits: { service: 'service time', response: 'response time' },
  logScale: 'log scale',
  timeAxis: 'time since the start (min:s)',
  overloaded: 'load generator overloaded',
  mostResponses: (when: string, from: string, to: string) => `At ${when} most responses took ${from} to ${to}.`,
  noData: 'no data',
  value: (name: string, value: string) => `${name} ${value}`,
  summary: (name: string, least: string, most: string) =>
    least === most ? `${name}: ${least} throughout.` : `${name}: between ${least} and ${most}.`,
  stageTitle: (name: string, counted: boolean) => (counted ? name : `${name} (not counted)`),
  series: {
    planned: 'Planned',
    started: 'Started',
    waiting: PENDING_RESULTS,
    waitingLabel: 'pending',
    completed: 'Completed',
    p50: 'p50',
    p90: 'p90',
    p95: 'p95',
    p99: 'p99',
    max: 'max',
    serviceP99: 'service time p99',
    serviceP99Label: 'service p99',
    notStartedTarget: 'too many requests in flight',
    notStartedTargetLabel: 'server',
    notStartedGenerator: 'load generator overloaded',
    notStartedGeneratorLabel: 'generator',
    status: (kind: string) => `Status ${kind}`,
    socketErrors: 'No response',
    notMade: 'Not sent',
    otherErrors: 'other',
    inFlight: 'In flight',
    received: 'Received',
    fromCache: 'from a cache',
    cacheUnsaid: 'not reported',
    handshakesFull: 'full',
    handshakesResumed: 'resumed',
    streamsOpen: 'Open',
    streamsCut: 'Streams cut',
    events: 'Events',
    bellWaiting: 'Waiting',
    bellServed: 'Served',
    bellFailed: 'Lost',
  },
  titles: {
    throughput: 'Throughput',
    latency: 'Latency',
    status: 'Responses by status',
    errors: 'Errors',
    inFlight: 'In flight',
    backlog: PENDING_RESULTS,
    bytes: 'Data received',
    cache: 'Responses from a cache',
    handshakes: 'TLS handshakes',
    notStarted: 'Arrivals not started',
    streams: 'Open streams',
    events: 'Events received',
    eventDelay: 'Event delay',
    visits: 'Largest paint',
    opening: (bell: string) => `Opening at the bell “${bell}”`,
  },
  /** Texts of charts by level, for a search or a series. */
  levels: {
    rate: 'Successful responses',
    within: 'p95',
    time: 'Mean',
    throughput: 'Throughput',
    failed: 'Failed requests',
    percent: 'percent',
    measured: 'measured',
    noWaiting: 'without queueing',
    workers: (count: string) => `with ${count} workers`,
    axis: {
      connections: 'connections',
      users: 'users',
      arrivalsPerSecond: 'requests a second',
      perSecond: 'per second',
      requests: 'requests',
      people: 'People',
      seconds: 'seconds',
      repeats: 'repeat',
    },
    outcomes: { failed: 'failed', inconclusive: 'inconclusive' },
  },
  noErrors: 'No errors.',
  limit: (value: string) => `limit ${value}`,
  atLeast: (value: string) => `≥ ${value}`,
  atMost: (value: string) => `≤ ${value}`,
  /** Names of parts of the time axis that are not stages. */
  startUp: 'start-up',
  drain: 'outstanding',
  failingFrom: 'criterion failed',
};

/** Describes each series in a sentence, for screen readers and text output. */
export function chartSummary({ series }: Pick<ChartData, 'series'>, unit: Unit): string {
  return series.map(({ name, values }) => summarizeSeries(name, values, unit)).join(' ');
}

function summarizeSeries(name: string, values: readonly (number | null)[], unit: Unit): string {
  const knownValues = values.filter((value) => value !== null);
  if (knownValues.length === 0) return `${chartNames.value(name, chartNames.noData)}.`;
  const lowest = knownValues.reduce((a, b) => Math.min(a, b));
  const highest = knownValues.reduce((a, b) => Math.max(a, b));
  return chartNames.summary(name, formatValue(lowest, unit), formatValue(highest, unit));
}
