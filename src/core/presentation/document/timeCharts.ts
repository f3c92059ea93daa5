import { liveOfMonitor } from '#core/machines/monitors/foldPoints.ts';
import { atStart } from '#core/plan/hosts/generatorNames.ts';
import { ratePoints } from '#core/result/pointSeries.ts';
import type { RunResult } from '#core/result/schema.ts';
import { listens } from '#core/judgement/verdict/streams.ts';
import { mostWatched } from '#core/result/readings.ts';
import { endOf, hasCourse, shadedRanges, stageBands } from '../charts/chartFrame.ts';
import { getLimits, plannedRates, waitingLimits } from '../charts/limits.ts';
import { monitorCharts, watchedCharts } from '../charts/monitorSeries.ts';
import { chartNames } from '../charts/names.ts';
import {
  backlogData,
  splitCharts,
  bytesData,
  cacheData,
  errorData,
  handshakeData,
  inFlightData,
  latencyBands,
  latencyData,
  notStartedData,
  statusData,
  type StreamChart,
  streamCharts,
  reportsServiceApart,
  throughputData,
} from '../charts/runSeries.ts';
import { visitLimits, visitsData } from '../charts/visitSeries.ts';
import type { ChartData, Limit, Unit } from '../charts/types.ts';
import type { ReportChart, ReportFrame } from './model.ts';

const { titles, units, latencyUnits } = chartNames;

/** Creates charts of one run with a common time axis. */
type MakeChart = (title: string, unit: Unit, data: ChartData, more?: Partial<ReportChart>) => ReportChart;

function getCharts(result: RunResult): MakeChart {
  const frame: ReportFrame = {
    to: endOf(result),
    stages: stageBands(result),
    ranges: shadedRanges(result),
    overloaded: result.windows.filter(({ overloadedBy }) => overloadedBy.length > 0).map(({ second, width }) => ({ second, width })),
  };
  return (title, unit, data, more = {}) => ({ title, unit, about: units[unit], data, bands: [], limits: [], frame, ...more });
}

/** Returns the two charts beside the verdict: throughput and latency, or those of streams if users listen. */
export function mainCharts(result: RunResult): readonly ReportChart[] {
  const { main } = chartsOfStreams(result);
  return main.length > 0 ? main : chartsOfRequests(result);
}

/** Returns charts of streams. If users listen, the most informative ones come first. */
function chartsOfStreams(result: RunResult): { readonly main: readonly ReportChart[]; readonly more: readonly ReportChart[] } {
  const points = ratePoints(result.windows);
  const chart = getCharts(result);
  const made = (charts: readonly StreamChart[]): ReportChart[] =>
    charts.map(({ title, unit, about, data }) => chart(title, unit, data, { about }));
  const all = !hasCourse(points) ? [] : streamCharts(points);
  if (!listens(result.plan)) return { main: [], more: made(all) };
  const { main, more } = splitCharts(all);
  return { main: made(main), more: made(more) };
}

function chartsOfRequests(result: RunResult): ReportChart[] {
  const points = ratePoints(result.windows);
  if (!hasCourse(points)) return [];
  const chart = getCharts(result);
  const limits = getLimits(result.plan, points, stageBands(result));
  const latency = latencyData(points, result.plan);
  return [
    chart(titles.throughput, 'perSecond', throughputData(points, plannedRates(result.plan, points)), { limits: limits.throughput }),
    chart(titles.latency, 'ms', latency, {
      about: `${reportsServiceApart(points) ? latencyUnits.response : latencyUnits.service}${result.pages === null ? '' : ' of requests'}`,
      bands: latencyBands(latency),
      limits: limits.latency,
    }),
  ];
}

/** Returns all other charts with data. */
export function moreCharts(result: RunResult): ReportChart[] {
  const { plan, waits, generators } = result;
  const points = ratePoints(result.windows);
  if (!hasCourse(points)) return [];
  const chart = getCharts(result);
  const streams = chartsOfStreams(result);
  const handshakes = handshakeData(points);
  const perSecond = (title: string, data: ChartData): ReportChart[] => (data.series.length === 0 ? [] : [chart(title, 'perSecond', data)]);
  return [
    ...(points.some(({ cache }) => cache !== undefined) ? [chart(titles.cache, 'share', cacheData(points))] : []),
    ...(handshakes === null ? [] : [chart(titles.handshakes, 'perSecond', handshakes)]),
    ...streams.more,
    ...(streams.main.length > 0 ? chartsOfRequests(result) : []),
    ...perSecond(titles.status, statusData(points)),
    ...perSecond(titles.errors, errorData(points)),
    ...perSecond(titles.notStarted, notStartedData(points)),
    chart(titles.inFlight, 'count', inFlightData(points), { limits: waitingLimits(plan, points) }),
    ...(waits.length > 0 ? [chart(titles.backlog, 'count', backlogData(points))] : []),
    chart(titles.bytes, 'bytesPerSecond', bytesData(points)),
    ...watchedCharts(plan, mostWatched(generators)).map(({ name, limits, data }) => chart(name, 'count', data, { limits })),
  ];
}

/** Returns a chart of the largest contentful paint of each visit, on the time axis of the load. */
export function visitCharts(result: RunResult): ReportChart[] {
  const data = result.visits === null ? null : visitsData(result.visits);
  if (data === null || !hasCourse(data.spans)) return [];
  const limits = visitLimits(result.plan);
  return [getCharts(result)(titles.visits, 'ms', data, { about: chartNames.visits, limits })];
}

/** Returns charts of monitored machines and services, by name. Mere load generators are shown in tables only. */
export function chartsOfMonitors(result: RunResult): { readonly name: string; readonly charts: ReportChart[] }[] {
  const chart = getCharts(result);
  return result.monitors.flatMap((monitor) => {
    if (monitor.role === 'generator' && !isAskedFor(result, monitor)) return [];
    const charts = monitorCharts(liveOfMonitor(monitor)).flatMap(({ title, unit, data, limits }) =>
      !hasCourse(data.spans) ? [] : [chart(title, unit, data, { limits: nearTo(data, limits) })],
    );
    return charts.length === 0 ? [] : [{ name: atStart(monitor.name), charts }];
  });
}

/** Whether the plan monitors a load generator explicitly, for example because it is also the server. */
function isAskedFor({ plan }: RunResult, { host }: RunResult['monitors'][number]): boolean {
  return plan.monitors?.some((monitor) => monitor.kind === 'machine' && (monitor.host ?? null) === host) ?? false;
}

/** Removes limits that are more than four times the highest value, because they would flatten the chart. */
function nearTo({ series }: ChartData, limits: readonly Limit[]): Limit[] {
  const highest = series.reduce((most, { values }) => values.reduce<number>((high, value) => Math.max(high, value ?? 0), most), 0);
  return limits.filter(({ value }) => value <= 4 * highest);
}
