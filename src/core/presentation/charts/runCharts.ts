import { liveOfMonitor } from '#core/machines/monitors/foldPoints.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { ratePoints } from '#core/result/pointSeries.ts';
import { longestWatchedReadings, type WatchedReading } from '#core/result/readings.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import { listensToStreams } from '#core/judgement/verdict/streams.ts';
import { hasCourse, stageBands } from './chartFrame.ts';
import { listLimits, listPlannedRates, waitingLimits } from './limits.ts';
import { monitorCharts, buildWatchedCharts } from './monitorSeries.ts';
import { chartNames } from './names.ts';
import {
  backlogData,
  bytesData,
  cacheData,
  errorData,
  handshakeData,
  inFlightData,
  latencyBands,
  latencyData,
  notStartedData,
  runChart,
  statusData,
  streamCharts,
  reportsServiceApart,
  throughputData,
} from './runSeries.ts';
import type { RunChart, StageBand } from './types.ts';

const { titles, latencyUnits, noErrors } = chartNames;

/** Data from which the charts of a run are made, while it is active and afterwards. */
export interface ChartedRun {
  /** The plan; undefined until a live view has received it. */
  readonly plan: Plan | undefined;
  readonly points: readonly Point[];
  readonly stages: readonly StageBand[];
  /** Readings of the numbers that were watched during the load. */
  readonly watched: readonly WatchedReading[];
  /** Whether the run polled for results. */
  readonly hasWaits: boolean;
  /** Whether the run fetched whole pages. */
  readonly hasPages: boolean;
}

/** The charts of a run in their order, on the screen and in reports. */
export interface RunCharts {
  /** The two charts beside the verdict: throughput and latency, or two charts of streams if users listen. */
  readonly main: readonly RunChart[];
  readonly more: readonly RunChart[];
  /** The least important charts, which a live view collapses. */
  readonly minor: readonly RunChart[];
}

export function chartsOfRun({ plan, points, stages, watched, hasWaits, hasPages }: ChartedRun): RunCharts {
  const requests = requestCharts(plan, points, stages, hasPages);
  const streams = streamCharts(points);
  const isListening = plan !== undefined && listensToStreams(plan) && streams.length > 0;
  const notStarted = notStartedData(points);
  const handshakes = handshakeData(points);
  const inFlight = runChart(titles.inFlight, 'count', inFlightData(points), { limits: plan ? waitingLimits(plan, points) : [] });
  const isOpen = plan?.load.model === 'arrivals';
  return {
    main: isListening ? [...streams.slice(0, 1), ...streams.slice(1).slice(-1)] : requests,
    more: [
      ...(isListening ? [...streams.slice(1, -1), ...requests] : streams),
      runChart(titles.status, 'perSecond', statusData(points)),
      runChart(titles.errors, 'perSecond', errorData(points), { empty: noErrors }),
      ...(isOpen ? [inFlight] : []),
      ...(notStarted.series.length === 0 ? [] : [runChart(titles.notStarted, 'perSecond', notStarted)]),
      ...(points.some(({ cache }) => cache !== undefined) ? [runChart(titles.cache, 'share', cacheData(points))] : []),
      ...(handshakes === null ? [] : [runChart(titles.handshakes, 'perSecond', handshakes)]),
      ...(hasWaits ? [runChart(titles.backlog, 'count', backlogData(points))] : []),
      ...(plan ? buildWatchedCharts(plan, watched) : []),
    ],
    minor: [...(isOpen ? [] : [inFlight]), runChart(titles.bytes, 'bytesPerSecond', bytesData(points))],
  };
}

function requestCharts(plan: Plan | undefined, points: readonly Point[], stages: readonly StageBand[], hasPages: boolean): RunChart[] {
  const limits = plan && listLimits(plan, points, stages);
  const latency = latencyData(points, plan);
  const times = reportsServiceApart(points) ? latencyUnits.response : latencyUnits.service;
  return [
    runChart(titles.throughput, 'perSecond', throughputData(points, plan ? listPlannedRates(plan, points) : null), {
      limits: limits?.throughput ?? [],
    }),
    runChart(titles.latency, 'ms', latency, {
      about: hasPages ? `${times} of requests` : times,
      bands: latencyBands(latency),
      limits: limits?.latency ?? [],
    }),
  ];
}

/** Returns the charts of a run that has ended; none if it was so short that its figures suffice. */
export function chartsOfResult(result: RunResult): RunCharts {
  const points = ratePoints(result.windows);
  if (!hasCourse(points)) return { main: [], more: [], minor: [] };
  return chartsOfRun({
    plan: result.plan,
    points,
    stages: stageBands(result),
    watched: longestWatchedReadings(result.generators),
    hasWaits: result.waits.length > 0,
    hasPages: result.pages !== null,
  });
}

/** Returns charts of monitored machines and services, by name. Machines that only generate load are shown only in tables. */
export function chartsOfMonitors(result: RunResult): { readonly name: string; readonly charts: RunChart[] }[] {
  return result.monitors.flatMap((monitor) => {
    if (monitor.role === 'generator' && !isAskedFor(result, monitor)) return [];
    const charts = monitorCharts(liveOfMonitor(monitor)).filter(({ data }) => hasCourse(data.spans));
    return charts.length === 0 ? [] : [{ name: capitalizeStart(monitor.name), charts }];
  });
}

/** Returns whether the plan monitors a load generator explicitly, for example because it is also the server. */
function isAskedFor({ plan }: RunResult, { host }: RunResult['monitors'][number]): boolean {
  return plan.monitors?.some((monitor) => monitor.kind === 'machine' && (monitor.host ?? null) === host) ?? false;
}
