import { findOverload } from '#core/result/overload.ts';
import { type RunResult, explainCut } from '#core/result/schema.ts';
import { countResponses, findFailedShare } from '#core/measurement/requestOutcomes.ts';
import type { TimeMs } from '#core/base/units.ts';
import { omitUnused } from '#core/result/countsOfRun.ts';
import { listJudgedStages } from '#core/plan/names.ts';
import { type Condition, listConditions } from './refusal.ts';
import type { Comparison, Figure, Scope } from './schema.ts';
import { keyOf, keyParts, type MonitorResult } from '#core/machines/monitors/result.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { listLoadedTimes } from '#core/result/stageTimes.ts';
import { medianWithEnds } from '#core/statistics/trend.ts';

type ComparedFigures = Pick<RunResult['steps'][number], 'requests' | 'latency' | 'rates'>;

export const WHOLE_RUN: Scope = { kind: 'run', name: '' };

/**
 * Returns the figures by which runs are compared: the whole run, then steps and counted stages if there are several, then page visits and
 * watched machines.
 */
function figuresOfRun(result: RunResult): Figure[] {
  const counted = listJudgedStages(result.plan).flatMap((index) => result.stages[index] ?? []);
  const reportedStages = counted.some(({ requests }) => requests.sent > 0) ? counted : result.stages;
  const steps = omitUnused(result, result.steps);
  return [
    ...listFigures(WHOLE_RUN, { ...result, requests: addRequests(reportedStages.map(({ requests }) => requests)) }),
    ...(steps.length > 1 ? steps.flatMap((step) => listFigures({ kind: 'step', name: step.name }, step)) : []),
    ...(reportedStages.length > 1 ? reportedStages.flatMap((stage) => listFigures({ kind: 'stage', name: stage.name }, stage)) : []),
    ...listVisitFigures(result),
    ...listMonitorFigures(result),
  ];
}

function listFigures(scope: Scope, { requests, latency, rates }: ComparedFigures): Figure[] {
  const responded = countResponses(requests);
  const { completedPerSecond } = rates;
  const good = completedPerSecond === null ? null : responded === 0 ? 0 : (completedPerSecond * requests.ok) / responded;
  const { p50, p95, p99 } = latency.response;
  return [
    { scope, measure: 'goodPerSecond', value: good },
    { scope, measure: 'p50', value: known(p50) },
    { scope, measure: 'p95', value: known(p95) },
    { scope, measure: 'p99', value: known(p99) },
    { scope, measure: 'failedShare', value: findFailedShare(requests) },
  ];
}

function known(time: TimeMs): number | null {
  return time === 'never' ? null : time;
}

type Requests = RunResult['outcomes']['requests'];

/** Sums the requests for {@link listFigures}. */
function addRequests(list: readonly Requests[]): Requests {
  const [first, ...others] = list;
  if (first === undefined) throw new Error('a run has at least one stage');
  return others.reduce(
    (sum, { sent, ok, httpError, wrongBody }) => ({
      ...sum,
      sent: sum.sent + sent,
      ok: sum.ok + ok,
      httpError: sum.httpError + httpError,
      wrongBody: sum.wrongBody + wrongBody,
    }),
    first,
  );
}

/** The parts of a run that a comparison needs; small, so that many fit in memory. */
export interface ComparedRun extends Readonly<Comparison['sides'][number]['runs'][number]> {
  readonly figures: readonly Figure[];
  readonly conditions: readonly Condition[];
}

/** Runs that are repeats of the same thing. */
export interface ComparedSide {
  readonly name: string;
  readonly runs: readonly ComparedRun[];
}

export function toComparedRun(result: RunResult): ComparedRun {
  const { id, name, startedAt, note } = result.run;
  return {
    id,
    name,
    startedAt,
    note,
    outcome: result.verdict.outcome,
    leftOut: explainCut(result.run),
    overloadedSeconds: findOverload(result).seconds,
    figures: figuresOfRun(result),
    conditions: listConditions(result),
  };
}

/** Quantities of a program, a container or a machine: processor use (in cores) and memory (in bytes). */
const WATCHED_PARTS = [
  { cpu: 'process.cpu', memory: 'process.memory' },
  { cpu: 'container.cpu', memory: 'container.memory' },
] as const;

/**
 * Returns the resource use of watched machines, programs and containers while the load of the counted stages was running: busy cores (mean
 * over time), processor milliseconds per response, and the maximum memory. Machines of load generators are excluded.
 */
export function listMonitorFigures(result: RunResult): Figure[] {
  const spans = listLoadedTimes(result);
  return result.monitors
    .filter(({ role, kind }) => role !== 'generator' && kind === 'machine')
    .flatMap((monitor) => {
      const isLoaded = monitor.second.map((second, row) =>
        spans.some(({ from, to }) => second < to && second + (monitor.width[row] ?? 1) > from),
      );
      const read: MonitorUnderLoad = { monitor, isLoaded, responsesPerSecond: result.rates.completedPerSecond };
      return [...machineFigures(read), ...WATCHED_PARTS.flatMap(({ cpu, memory }) => partFigures(read, cpu, memory))];
    });
}

interface MonitorUnderLoad {
  readonly monitor: MonitorResult;
  /** For each reading, whether it overlaps the load. */
  readonly isLoaded: readonly boolean[];
  readonly responsesPerSecond: number | null;
}

/**
 * Returns the figures of a machine. The kernel reports a machine's use as a share of its cores. The number of cores follows from the
 * per-core quantities.
 */
function machineFigures(read: MonitorUnderLoad): Figure[] {
  const { monitor } = read;
  const cores = Object.keys(monitor.values).filter((key) => keyParts(key).id === 'core.used').length;
  const share = meanReading(read, 'cpu.used');
  return [
    ...processorFigures(read, monitor.name, share === null || cores === 0 ? null : share * cores),
    ...memoryFigures(read, monitor.name, 'memory.used'),
  ];
}

function partFigures(read: MonitorUnderLoad, cpu: string, memory: string): Figure[] {
  const instances = Object.keys(read.monitor.values).flatMap((key) => {
    const { id, instance } = keyParts(key);
    return id === cpu && instance !== null ? [instance] : [];
  });
  return instances.flatMap((instance) => {
    const name = `${read.monitor.name}: ${instance}`;
    return [
      ...processorFigures(read, name, meanReading(read, keyOf(cpu, instance))),
      ...memoryFigures(read, name, keyOf(memory, instance)),
    ];
  });
}

function processorFigures({ responsesPerSecond }: MonitorUnderLoad, name: string, cores: number | null): Figure[] {
  if (cores === null) return [];
  const scope = { kind: 'watched', name } as const;
  const perResponse = responsesPerSecond === null || responsesPerSecond === 0 ? null : (1_000 * cores) / responsesPerSecond;
  return [
    { scope, measure: 'cpuUsed', value: cores },
    { scope, measure: 'cpuMsPerResponse', value: perResponse },
  ];
}

function memoryFigures(read: MonitorUnderLoad, name: string, key: string): Figure[] {
  const values = listLoadedValues(read, key).map(({ value }) => value);
  return values.length === 0 ? [] : [{ scope: { kind: 'watched', name }, measure: 'memory', value: Math.max(...values) }];
}

function meanReading(read: MonitorUnderLoad, key: string): number | null {
  const values = listLoadedValues(read, key);
  const seconds = values.reduce((sum, one) => sum + one.seconds, 0);
  return seconds === 0 ? null : values.reduce((sum, { value, seconds: width }) => sum + value * width, 0) / seconds;
}

function listLoadedValues({ monitor, isLoaded }: MonitorUnderLoad, key: string): { readonly value: number; readonly seconds: number }[] {
  const column = getOwn(monitor.values, key) ?? [];
  return column.flatMap((value, row) => (value === null || isLoaded[row] !== true ? [] : [{ value, seconds: monitor.width[row] ?? 1 }]));
}

/** Returns the median largest paint of each watched page, over counted visits in the counted stages. */
export function listVisitFigures({ visits, stages }: Pick<RunResult, 'visits' | 'stages'>): Figure[] {
  return (visits?.pages ?? []).map(({ name, kind }, page) => {
    const seen = visits?.visits.flatMap(({ page: of, stage, slowedBy, problem, largestPaintMs }) =>
      of === page && stage !== null && stages[stage]?.counted === true && slowedBy === null && problem === null
        ? (largestPaintMs ?? [])
        : [],
    );
    return {
      scope: { kind: 'watched', name: kind === 'journey' ? `“${name}”, all steps` : `“${name}”` },
      measure: 'largestPaint',
      value: medianWithEnds(seen ?? [])?.median ?? null,
    };
  });
}
