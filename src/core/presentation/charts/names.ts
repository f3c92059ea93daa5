import type { ChartData, Unit } from './types.ts';
import { formatValue } from './units.ts';

const WAITING_FOR_RESULT = 'Waiting for a result';

/** What stands in and around charts, wherever they are drawn. Values in them arrive formatted. */
export const chartNames = {
  units: {
    perSecond: 'per second',
    bytesPerSecond: 'per second',
    ms: 'time of answers',
    count: 'number',
    share: 'share',
    bytes: 'amount',
    cores: 'cores kept busy',
  },
  latencyUnits: { service: 'service time', response: 'response time' },
  timeAxis: 'time since the start (min:s)',
  sick: 'what makes the load could not keep up',
  mostAnswers: (when: string, from: string, to: string) => `At ${when} most answers took ${from} to ${to}.`,
  noData: 'nothing was measured here',
  value: (name: string, value: string) => `${name} ${value}`,
  summary: (name: string, least: string, most: string) =>
    least === most ? `${name}: ${least} throughout.` : `${name}: between ${least} and ${most}.`,
  stageTitle: (name: string, counted: boolean) => (counted ? name : `${name} (not counted)`),
  series: {
    planned: 'Planned',
    started: 'Started',
    waiting: WAITING_FOR_RESULT,
    completed: 'Answered',
    p50: 'half within (p50)',
    p90: '9 of 10 within (p90)',
    p99: '99 of 100 within (p99)',
    max: 'slowest (max)',
    serviceP99: '99 of 100 within, once sent (service p99)',
    serviceP99Label: 'service p99',
    notStartedTarget: 'the server owed too many answers',
    notStartedTargetLabel: 'server',
    notStartedGenerator: 'the load could not be made',
    notStartedGeneratorLabel: 'generator',
    status: (kind: string) => `Status ${kind}`,
    socketErrors: 'No answer',
    notMade: 'Not sent',
    otherErrors: 'other',
    inFlight: 'Waiting',
    received: 'Received',
    fromCache: 'from a cache',
    cacheUnsaid: 'did not say',
  },
  titles: {
    throughput: 'Started and answered',
    latency: 'How long answers took',
    status: 'Answers by status',
    errors: 'Not sent, not answered, or failed a check',
    inFlight: 'Waiting for an answer',
    backlog: WAITING_FOR_RESULT,
    bytes: 'Data received',
    cache: 'Answers from a cache',
    notStarted: 'Due but not started',
  },
  noErrors: 'Every request that ended got a complete answer.',
  limit: (value: string) => `limit ${value}`,
  atLeast: (value: string) => `at least ${value}`,
  atMost: (value: string) => `at most ${value}`,
  /** Stretches of the time axis that are no stage of the plan. */
  startUp: 'start-up',
  drain: 'last answers',
  missedFrom: 'limit missed',
};

/** What the series of a chart do, in a sentence for each: for a reader who does not see it, and for a text without pictures. */
export function chartSummary({ series }: Pick<ChartData, 'series'>, unit: Unit): string {
  return series.map(({ name, values }) => summaryOf(name, values, unit)).join(' ');
}

function summaryOf(name: string, values: readonly (number | null)[], unit: Unit): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return `${chartNames.value(name, chartNames.noData)}.`;
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  return chartNames.summary(name, formatValue(least, unit), formatValue(most, unit));
}
