import { UNKNOWN_TEXT, type TimeMs } from '#core/base/units.ts';
import { abTable, type AbTable, type AbTimes, maxConcurrency, meanTimePerRequest } from '#core/judgement/abTable.ts';
import type { RunResult } from '#core/result/schema.ts';
import { plansStarts } from '../document/words.ts';
import { findFailedShare, countWanted } from '#core/measurement/requestOutcomes.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { responseTimes } from '#core/measurement/cellFigures.ts';
import { encodeHdr } from '#core/statistics/hdrEncoding.ts';
import { addInto, type Histogram, createTotalHistogram } from '#core/statistics/histogram.ts';
import type { Window } from '#core/measurement/window.ts';

/**
 * Formats the result in the layout of ApacheBench 2.4, for people and scripts that read it. Times are in whole milliseconds, as in
 * ApacheBench. Unknown values are printed as such, never as 0. Covers the counted stages.
 */
export function formatAb(result: RunResult): string {
  const table = abTable(result);
  const { host, port, software } = result.server;
  return [
    `This is Holdfast, Version ${result.run.holdfastVersion} (layout of ApacheBench 2.4)`,
    `Run ${result.run.id} of ${result.run.startedAt}`,
    'Failed requests are counted as ApacheBench counts them',
    ...openNote(result),
    '',
    `Benchmarking ${host} (be patient).....done`,
    '',
    '',
    abRow('Server Software', software ?? ''),
    abRow('Server Hostname', host),
    abRow('Server Port', String(port)),
    '',
    abRow('Document Path', documentPath(result)),
    abRow('Document Length', result.bodyLength.first === null ? UNKNOWN_TEXT : `${result.bodyLength.first} bytes`),
    '',
    ...totals(result, table),
    '',
    'Connection Times (ms)',
    '              min  mean[+/-sd] median   max',
    timesRow('Connect:', table.connect),
    timesRow('Processing:', table.processing),
    timesRow('Waiting:', table.waiting),
    timesRow('Total:', table.total),
    '',
    ...percentages(result),
    '',
  ].join('\n');
}

/** States for open models that times begin at the actual start, because ApacheBench has no scheduled starts. */
function openNote(result: RunResult): string[] {
  if (!plansStarts(result)) return [];
  const { planned, started, notStarted } = result.outcomes.journeys;
  const left = notStarted.target + notStarted.generator;
  const of = planned === null ? '' : `; ${started} of ${planned} arrivals started, ${left} could not`;
  return [`Times are service times, from the actual start of a request, not from its scheduled start${of}`];
}

function totals(result: RunResult, table: AbTable): string[] {
  const { complete, failed, takenSeconds } = table;
  const concurrency = maxConcurrency(result);
  const perSecond = result.rates.completedPerSecond;
  const lines = [
    abRow('Concurrency Level', String(concurrency)),
    abRow('Time taken for tests', takenSeconds === null ? UNKNOWN_TEXT : `${takenSeconds.toFixed(3)} seconds`),
    abRow('Complete requests', String(complete)),
    abRow('Failed requests', String(failed.total)),
  ];
  if (failed.total > 0) {
    const { connect, receive, length, exceptions } = failed;
    lines.push(`   (Connect: ${connect}, Receive: ${receive}, Length: ${length}, Exceptions: ${exceptions})`);
  }
  if (table.non2xx > 0) lines.push(abRow('Non-2xx responses', String(table.non2xx)));
  lines.push(
    abRow('Keep-Alive requests', String(result.requestsOnReusedConnection)),
    abRow('Total transferred', `${result.bytes.received} bytes`),
    abRow('HTML transferred', result.plan.engine === 'k6' ? UNKNOWN_TEXT : `${result.bytes.body} bytes`),
  );
  if (perSecond === null || perSecond === 0) return [...lines, abRow('Requests per second', UNKNOWN_TEXT)];
  const bytesPerSecond = result.rates.bytesPerSecond;
  const mean = meanTimePerRequest(result);
  return [
    ...lines,
    abRow('Requests per second', `${perSecond.toFixed(2)} [#/sec] (mean)`),
    abRow('Time per request', mean === null ? UNKNOWN_TEXT : `${mean.toFixed(3)} [ms] (mean)`),
    abRow('Time per request', `${(1_000 / perSecond).toFixed(3)} [ms] (mean, across all concurrent requests)`),
    abRow('Transfer rate', bytesPerSecond === null ? UNKNOWN_TEXT : `${(bytesPerSecond / 1_024).toFixed(2)} [Kbytes/sec] received`),
  ];
}

const PERCENTAGES = [50, 66, 75, 80, 90, 95, 98, 99] as const;

function percentages(result: RunResult): string[] {
  const { service } = result.latency;
  return [
    'Percentage of the requests served within a certain time (ms)',
    ...PERCENTAGES.map((percent) => `${String(percent).padStart(3)}%  ${abCell(service[`p${percent}`], 5)}`),
    `100%  ${abCell(service.max, 5)} (longest request)`,
  ].map((line, index) => (index === 0 ? line : ` ${line}`));
}

/** Formats a line with its label padded to column 24, as in ApacheBench. */
function abRow(label: string, value: string): string {
  return `${label}:`.padEnd(24) + value;
}

function timesRow(label: string, { min, mean, stddev, median, max }: AbTimes): string {
  if (mean === null) return `${label.padEnd(12)}${UNKNOWN_TEXT}`;
  if (max === null) return `${label.padEnd(12)}${UNKNOWN_TEXT}, mean ${abCell(mean, 0)}`;
  const deviation = typeof stddev === 'number' ? stddev.toFixed(1) : UNKNOWN_TEXT;
  return `${label.padEnd(12)}${abCell(min, 5)} ${abCell(mean, 4)} ${deviation.padStart(5)} ${abCell(median, 6)} ${abCell(max, 7)}`;
}

function abCell(value: TimeMs, width: number): string {
  if (value === null) return UNKNOWN_TEXT.padStart(width);
  return (typeof value === 'number' ? String(Math.round(value)) : value).padStart(width);
}

function documentPath({ plan }: RunResult): string {
  const [target] = plan.targets;
  const [step] = plan.journey;
  if (target === undefined || step === undefined) return '';
  const { pathname, search } = new URL(step.path, target.url);
  return pathname + search;
}

type Stage = RunResult['stages'][number];
type RowFigures = Pick<Stage, 'requests' | 'latency' | 'rates'>;

const JMETER_COLUMNS = ['Label', '# Samples', 'Average', 'Median', '90% Line', 'Min', 'Max', 'Error %', 'Throughput'] as const;

/**
 * Formats the counted stages in the columns of JMeter's aggregate report, with one line per step and a total. Times are service times in
 * whole milliseconds, as in JMeter. Each stage has its own table; stages are never pooled.
 */
export function formatJmeter(result: RunResult): string {
  const counted = result.stages.filter((stage) => stage.counted);
  const tables = counted.map((stage) => [...(counted.length > 1 ? [`Stage: ${stage.name}`] : []), ...table(stage), ''].join('\n'));
  return [
    `Holdfast ${result.run.holdfastVersion}, run ${result.run.id} of ${result.run.startedAt} (columns of JMeter's aggregate report)`,
    ...notes(result, counted),
    '',
    ...(tables.length > 0 ? tables : ['No stage was counted.', '']),
  ].join('\n');
}

function notes(result: RunResult, counted: readonly Stage[]): string[] {
  const withoutResponse = counted.reduce((all, { requests, latency }) => all + countWanted(requests) - latency.service.count, 0);
  return [
    ...(plansStarts(result) ? ['Times run from the actual start of a request, not from its scheduled start'] : []),
    ...(withoutResponse > 0 ? [`${withoutResponse} samples got no complete response: they count as errors and are in no time`] : []),
  ];
}

function table(stage: Stage): string[] {
  const rows = [[...JMETER_COLUMNS], ...stage.steps.map((step) => jmeterRow(step.name, step)), jmeterRow('TOTAL', stage)];
  const widths = JMETER_COLUMNS.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((jmeterCell, column) => (column === 0 ? jmeterCell.padEnd(widths[0] ?? 0) : jmeterCell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}

function jmeterRow(label: string, { requests, latency: { service }, rates }: RowFigures): string[] {
  const times = [service.mean, service.p50, service.p90, service.min, service.max].map(jmeterCell);
  const failed = findFailedShare(requests);
  const share = failed === null ? UNKNOWN_TEXT : `${(100 * failed).toFixed(2)}%`;
  return [label, String(countWanted(requests)), ...times, share, formatThroughput(rates.completedPerSecond)];
}

function jmeterCell(value: TimeMs): string {
  if (value === null) return UNKNOWN_TEXT;
  return typeof value === 'number' ? String(Math.round(value)) : value;
}

/** Formats throughput like JMeter: per second, or per minute or hour if it is lower. */
function formatThroughput(perSecond: number | null): string {
  if (perSecond === null) return UNKNOWN_TEXT;
  if (perSecond >= 1 || perSecond === 0) return `${perSecond.toFixed(1)}/sec`;
  return perSecond * 60 >= 1 ? `${(perSecond * 60).toFixed(1)}/min` : `${(perSecond * 3_600).toFixed(1)}/hour`;
}

/** Maximum number of lines. Beyond it, adjacent seconds are merged. */
const MAX_LINES = 4_000;
const INTERVALS = [1, 10, 60, 600, 3_600] as const;

/** A line of the log: the text before the histogram, and the histogram in encoding V2, uncompressed. */
export interface HlogLine {
  readonly before: string;
  readonly histogram: Uint8Array;
}

/** A log that is written step by step. */
interface Hlog {
  /** Header lines, each of which ends in a line feed. */
  readonly head: string;
  /** Adds the next window in order of time. Returns the lines of an interval once the first window after the interval is added. */
  add(window: Window): HlogLine[];
  /** Returns the lines of the last interval. */
  end(): HlogLine[];
}

/**
 * Writes response times as a log of HDR histograms (format version 1.3, G. Tene, HdrHistogram: HistogramLogWriter), with one line per
 * interval and step, and with the step as the tag. Values are in microseconds; the column of the maximum is in milliseconds. Includes
 * complete responses of all stages, warm-up included. Failures without a response have no time.
 */
export function createHlog({ run, plan, durationSeconds }: Pick<RunResult, 'run' | 'plan' | 'durationSeconds'>): Hlog {
  const names = listRecordedRequests(plan).map(({ name }) => tagName(name));
  const seconds = chooseInterval(durationSeconds ?? 0, names.length);
  const start = Date.parse(run.startedAt) / 1_000;
  const head = [
    `#[Logged with Holdfast ${run.holdfastVersion}, run ${run.id}: response times in microseconds, highest value in ms]`,
    '#[Histogram log format version 1.3]',
    `#[StartTime: ${start.toFixed(3)} (seconds since epoch), ${run.startedAt}]`,
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
  ];
  const linesOf = ({ from, to, steps }: Interval): HlogLine[] =>
    [...steps]
      .sort(([one], [other]) => one - other)
      .map(([step, times]) => {
        const tag = names.length > 1 ? `Tag=${names[step] ?? `step-${step + 1}`},` : '';
        const highest = (times.maxValue / 1_000).toFixed(3);
        return { before: `${tag}${from.toFixed(3)},${(to - from).toFixed(3)},${highest},`, histogram: encodeHdr(times) };
      });
  let current: Interval | null = null;
  return {
    head: `${head.join('\n')}\n`,
    add(window) {
      const ended = current !== null && window.second >= current.from + seconds ? current : null;
      if (ended !== null) current = null;
      current ??= {
        from: seconds === 1 ? window.second : Math.floor(window.second / seconds) * seconds,
        to: window.second,
        steps: new Map(),
      };
      addWindow(current, window);
      return ended === null ? [] : linesOf(ended);
    },
    end: () => (current === null ? [] : linesOf(current)),
  };
}

interface Interval {
  readonly from: number;
  to: number;
  readonly steps: Map<number, Histogram>;
}

function addWindow(interval: Interval, { second, width, cells }: Window): void {
  interval.to = Math.max(interval.to, second + width);
  for (const cell of cells) {
    const times = responseTimes(cell);
    if (times === undefined || times.totalCount === 0) continue;
    let sum = interval.steps.get(cell.step);
    if (sum === undefined) interval.steps.set(cell.step, (sum = createTotalHistogram()));
    addInto(sum, times);
  }
}

function chooseInterval(seconds: number, steps: number): number {
  return INTERVALS.find((interval) => (seconds / interval) * Math.max(1, steps) <= MAX_LINES) ?? 3_600;
}

/** Replaces commas and white space, which tags must not contain. */
function tagName(name: string): string {
  return name.replaceAll(/[\s,]+/g, '_');
}
