import { addCount } from '#core/base/lists.ts';
import { readErrorName } from '#core/base/errorNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatErrorName, isCheckError, isUnsent } from '#core/work/bodyCheck/errorTexts.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import type { StreamPoint } from '#core/result/streams.ts';
import type { ChartBand, ChartData, ChartSeries, RunChart, Unit } from './types.ts';
import { SERIES, variantLook, type SeriesLook } from './looks.ts';
import { chartNames } from './names.ts';

const names = chartNames.series;

type Points = readonly Point[];

/** Returns a chart without bands and limits, described by its unit. `more` overrides these defaults. */
export function runChart(title: string, unit: Unit, data: ChartData, more: Partial<RunChart> = {}): RunChart {
  return { title, unit, about: chartNames.units[unit], data, bands: [], limits: [], ...more };
}

/** Returns requests started and completed per second, with the planned rate if it is known. */
export function throughputData(points: Points, planned: readonly number[] | null = null): ChartData {
  return {
    spans: points,
    series: [
      ...(planned ? [line('planned', names.planned, SERIES.planned, points, (_, index) => planned[index] ?? null)] : []),
      line('started', names.started, SERIES.started, points, (point) => point.started / point.width),
      line('completed', names.completed, SERIES.completed, points, (point) => point.completed / point.width),
    ],
  };
}

/**
 * Returns response times in ms, and separate service times if known. They are unknown for seconds without responses. The line between
 * median and p99 is p90, or p95 if the plan judges p95.
 */
export function latencyData(points: Points, plan?: Plan): ChartData {
  const judged = new Set(
    plan &&
      listCriteria(plan).flatMap((one) =>
        one.kind === 'responseTime' && one.of !== 'events' && one.of !== 'visits' ? [one.percentile] : [],
      ),
  );
  const middle = [
    ...(judged.has(95) ? [line('p95', names.p95, SERIES.p95, points, ({ p95 }) => p95 ?? null)] : []),
    ...(judged.has(90) || !judged.has(95) ? [line('p90', names.p90, SERIES.p90, points, ({ p90 }) => p90)] : []),
  ];
  return {
    spans: points,
    series: [
      { ...line('max', names.max, SERIES.max, points, ({ max }) => max), shape: 'dots' },
      line('p99', names.p99, SERIES.p99, points, ({ p99 }) => p99),
      ...middle,
      line('p50', names.p50, SERIES.p50, points, ({ p50 }) => p50),
      ...(reportsServiceApart(points)
        ? [
            {
              ...line('serviceP99', names.serviceP99, SERIES.service, points, ({ service }) => service?.p99 ?? null),
              label: names.serviceP99Label,
            },
          ]
        : []),
    ],
  };
}

/** Returns whether response times include waiting before sending and therefore differ from service times. */
export function reportsServiceApart(points: Points): boolean {
  return points.some(({ service }) => service !== null);
}

/** Returns arrivals per second that did not start, by cause. Contains no series if all started. */
export function notStartedData(points: Points): ChartData {
  const causes = [
    ['target', names.notStartedTarget, names.notStartedTargetLabel, SERIES.notStartedTarget],
    ['generator', names.notStartedGenerator, names.notStartedGeneratorLabel, SERIES.notStartedGenerator],
  ] as const;
  const series = causes
    .filter(([cause]) => points.some(({ notStarted }) => notStarted[cause] > 0))
    .map(([cause, name, label, look]) => stacked(cause, name, label, look, points, ({ notStarted }) => notStarted[cause]));
  return { spans: points, series };
}

/** Returns the areas between the percentiles of {@link latencyData}. */
export function latencyBands({ series }: Pick<ChartData, 'series'>): readonly ChartBand[] {
  const middle = series.some(({ id }) => id === 'p90') ? 'p90' : 'p95';
  return [
    { from: 'p50', to: middle, opacity: 0.28 },
    { from: middle, to: 'p99', opacity: 0.14 },
  ];
}

const STATUS_LOOKS: Readonly<Record<string, SeriesLook>> = {
  '1xx': SERIES.status1xx,
  '2xx': SERIES.status2xx,
  '3xx': SERIES.status3xx,
  '4xx': SERIES.status4xx,
  '5xx': SERIES.status5xx,
};

/**
 * Returns responses per second by the first digit of their status, requests without a response, and requests that were not sent. Omits
 * groups that never occurred. A response with a failed check counts by its status.
 */
export function statusData(points: Points): ChartData {
  const kinds = points.map(({ status }) => sumByGroup(status, (code) => `${code[0] ?? ''}xx`));
  const series = Object.entries(STATUS_LOOKS)
    .filter(([kind]) => kinds.some((sums) => (getOwn(sums, kind) ?? 0) > 0))
    .map(([kind, look]) => stacked(kind, names.status(kind), kind, look, points, (_, index) => getOwn(kinds[index], kind) ?? 0));
  const others = [
    ['none', names.socketErrors, SERIES.socketError, (code: string) => !isUnsent(code) && !isCheckError(code)],
    ['notMade', names.notMade, SERIES.notMade, isUnsent],
  ] as const;
  for (const [id, name, look, include] of others)
    if (points.some(({ errors }) => sumOf(errors, include) > 0))
      series.push(stacked(id, name, name, look, points, ({ errors }) => sumOf(errors, include)));
  return { spans: points, series };
}

const MAX_CODES = 5;

/**
 * Returns requests without a complete response and failed checks per second, by error. The most frequent errors have their names, and the
 * others are summed up.
 */
export function errorData(points: Points): ChartData {
  const totals = new Map<string, number>();
  for (const { errors } of points) for (const [code, count] of Object.entries(errors)) totals.set(code, (totals.get(code) ?? 0) + count);
  const ordered = [...totals].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const named = ordered.slice(0, ordered.length > MAX_CODES ? MAX_CODES - 1 : MAX_CODES).map(([code]) => code);
  const series = named.map((code) => {
    const isWorded = isUnsent(code) || isCheckError(code);
    const short = isWorded ? formatErrorName(code) : readErrorName(code).code;
    const look = isUnsent(code) ? SERIES.notMade : SERIES.socketError;
    return stacked(code, isWorded ? short : code, short, look, points, ({ errors }) => getOwn(errors, code) ?? 0);
  });
  if (ordered.length > named.length)
    series.push(
      stacked('other', names.otherErrors, names.otherErrors, SERIES.socketError, points, ({ errors }) =>
        sumOf(errors, (code) => !named.includes(code)),
      ),
    );
  return { spans: points, series };
}

/** Returns requests in flight at the end of each second. */
export function inFlightData(points: Points): ChartData {
  return { spans: points, series: [line('inFlight', names.inFlight, SERIES.inFlight, points, ({ inFlight }) => inFlight)] };
}

/** Returns pending results at the end of each second. */
export function backlogData(points: Points): ChartData {
  return {
    spans: points,
    series: [{ ...line('waiting', names.waiting, SERIES.inFlight, points, ({ waiting }) => waiting), label: names.waitingLabel }],
  };
}

/**
 * Returns the share of responses per second that came from a cache, and the share without cache headers if there are any. Unknown for
 * seconds without responses.
 */
export function cacheData(points: Points): ChartData {
  const share =
    (count: (point: Point) => number) =>
    (point: Point): number | null =>
      point.completed === 0 ? null : count(point) / point.completed;
  const countWithoutCacheHeader = ({ completed, cache }: Point): number => completed - (cache?.fromCache ?? 0) - (cache?.fromServer ?? 0);
  return {
    spans: points,
    series: [
      line(
        'fromCache',
        names.fromCache,
        variantLook(0),
        points,
        share(({ cache }) => cache?.fromCache ?? 0),
      ),
      ...(points.some((point) => countWithoutCacheHeader(point) > 0)
        ? [line('unsaid', names.cacheUnsaid, SERIES.started, points, share(countWithoutCacheHeader))]
        : []),
    ],
  };
}

/** Returns full and resumed TLS handshakes per second; null if none was resumed. */
export function handshakeData(points: Points): ChartData | null {
  if (points.every(({ handshakes }) => (handshakes?.resumed ?? 0) === 0)) return null;
  const kinds = [
    ['full', names.handshakesFull, variantLook(0)],
    ['resumed', names.handshakesResumed, variantLook(1)],
  ] as const;
  const perSecond = (kind: 'full' | 'resumed') => (point: Point) => (point.handshakes?.[kind] ?? 0) / point.width;
  return { spans: points, series: kinds.map(([kind, name, look]) => line(kind, name, look, points, perSecond(kind))) };
}

/** Returns the charts of event streams, if there are any: open streams, events, and event delay. */
export function streamCharts(points: Points): RunChart[] {
  const { titles, eventDelay } = chartNames;
  if (points.every(({ streams }) => streams === undefined)) return [];
  const perSecond =
    (count: (streams: StreamPoint) => number) =>
    ({ streams, width }: Point): number =>
      streams === undefined ? 0 : count(streams) / width;
  const cuts = points.some(({ streams }) => (streams?.cut ?? 0) > 0)
    ? [
        line(
          'cut',
          names.streamsCut,
          SERIES.socketError,
          points,
          perSecond(({ cut }) => cut),
        ),
      ]
    : [];
  const delay = (id: 'p50' | 'p95' | 'p99', look: SeriesLook, of: (streams: StreamPoint) => number | null): ChartSeries => ({
    ...line(id, id, look, points, ({ streams }) => (streams === undefined ? null : of(streams))),
    label: id,
  });
  const delays = [
    delay('p99', SERIES.p99, ({ delayP99 }) => delayP99),
    delay('p95', SERIES.p90, ({ delayP95 }) => delayP95),
    delay('p50', SERIES.p50, ({ delayP50 }) => delayP50),
  ];
  const open = line('open', names.streamsOpen, SERIES.inFlight, points, ({ streams }) => streams?.open ?? 0);
  const countEvents = perSecond(({ events }) => events);
  const events = line('events', names.events, SERIES.completed, points, countEvents);
  const hasDelays = points.some(({ streams }) => streams !== undefined && streams.delayP50 !== null);
  return [
    runChart(titles.streams, 'count', { spans: points, series: [open] }),
    runChart(titles.events, 'perSecond', { spans: points, series: [events, ...cuts] }),
    ...(hasDelays ? [runChart(titles.eventDelay, 'ms', { spans: points, series: delays }, { about: eventDelay })] : []),
  ];
}

/** Returns received bytes per second, headers included. */
export function bytesData(points: Points): ChartData {
  return { spans: points, series: [line('bytes', names.received, SERIES.bytes, points, (point) => point.bytesReceived / point.width)] };
}

function line(
  id: string,
  name: string,
  look: SeriesLook,
  points: Points,
  value: (point: Point, index: number) => number | null,
): ChartSeries {
  return { id, name, label: name, look, shape: 'line', values: points.map(value) };
}

function stacked(
  id: string,
  name: string,
  label: string,
  look: SeriesLook,
  points: Points,
  count: (point: Point, index: number) => number,
): ChartSeries {
  return { id, name, label, look, shape: 'stacked', values: points.map((point, index) => count(point, index) / point.width) };
}

function sumByGroup(counts: Readonly<Record<string, number>>, group: (key: string) => string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [key, count] of Object.entries(counts)) addCount(sums, group(key), count);
  return sums;
}

function sumOf(counts: Readonly<Record<string, number>>, include: (key: string) => boolean): number {
  let sum = 0;
  for (const [key, count] of Object.entries(counts)) if (include(key)) sum += count;
  return sum;
}
