import { NOT_KNOWN, type TimeMs } from '#core/base/units.ts';
import { abTable, concurrencyOf, meanTimePerRequest, type AbTable, type AbTimes } from '#core/judgement/abTable.ts';
import type { RunResult } from '#core/result/schema.ts';
import { plansStarts } from '../document/words.ts';

/**
 * Formats the result in the layout of ApacheBench 2.4, for people and scripts that read it. Whole milliseconds as there;
 * unknown values are printed as such, never as 0. Covers counted stages.
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
    row('Server Software', software ?? ''),
    row('Server Hostname', host),
    row('Server Port', String(port)),
    '',
    row('Document Path', documentPath(result)),
    row('Document Length', result.bodyLength.first === null ? NOT_KNOWN : `${result.bodyLength.first} bytes`),
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

/** States for open models that times start at the actual start: ApacheBench has no scheduled starts. */
function openNote(result: RunResult): string[] {
  if (!plansStarts(result)) return [];
  const { planned, started, notStarted } = result.outcomes.journeys;
  const left = notStarted.target + notStarted.generator;
  const of = planned === null ? '' : `; ${started} of ${planned} arrivals started, ${left} could not`;
  return [`Times are service times, from the actual start of a request, not from its scheduled start${of}`];
}

function totals(result: RunResult, table: AbTable): string[] {
  const { complete, failed, takenSeconds } = table;
  const concurrency = concurrencyOf(result);
  const perSecond = result.rates.completedPerSecond;
  const lines = [
    row('Concurrency Level', String(concurrency)),
    row('Time taken for tests', takenSeconds === null ? NOT_KNOWN : `${takenSeconds.toFixed(3)} seconds`),
    row('Complete requests', String(complete)),
    row('Failed requests', String(failed.total)),
  ];
  if (failed.total > 0) {
    const { connect, receive, length, exceptions } = failed;
    lines.push(`   (Connect: ${connect}, Receive: ${receive}, Length: ${length}, Exceptions: ${exceptions})`);
  }
  if (table.non2xx > 0) lines.push(row('Non-2xx responses', String(table.non2xx)));
  lines.push(
    row('Keep-Alive requests', String(result.requestsOnReusedConnection)),
    row('Total transferred', `${result.bytes.received} bytes`),
    row('HTML transferred', result.plan.engine === 'k6' ? NOT_KNOWN : `${result.bytes.body} bytes`),
  );
  if (perSecond === null || perSecond === 0) return [...lines, row('Requests per second', NOT_KNOWN)];
  const bytesPerSecond = result.rates.bytesPerSecond;
  const mean = meanTimePerRequest(result);
  return [
    ...lines,
    row('Requests per second', `${perSecond.toFixed(2)} [#/sec] (mean)`),
    row('Time per request', mean === null ? NOT_KNOWN : `${mean.toFixed(3)} [ms] (mean)`),
    row('Time per request', `${(1_000 / perSecond).toFixed(3)} [ms] (mean, across all concurrent requests)`),
    row('Transfer rate', bytesPerSecond === null ? NOT_KNOWN : `${(bytesPerSecond / 1_024).toFixed(2)} [Kbytes/sec] received`),
  ];
}

const PERCENTAGES = [50, 66, 75, 80, 90, 95, 98, 99] as const;

function percentages(result: RunResult): string[] {
  const { service } = result.latency;
  return [
    'Percentage of the requests served within a certain time (ms)',
    ...PERCENTAGES.map((percent) => `${String(percent).padStart(3)}%  ${cell(service[`p${percent}`], 5)}`),
    `100%  ${cell(service.max, 5)} (longest request)`,
  ].map((line, index) => (index === 0 ? line : ` ${line}`));
}

/** ApacheBench pads its labels to column 24. */
function row(label: string, value: string): string {
  return `${label}:`.padEnd(24) + value;
}

function timesRow(label: string, { min, mean, stddev, median, max }: AbTimes): string {
  if (mean === null) return `${label.padEnd(12)}${NOT_KNOWN}`;
  if (max === null) return `${label.padEnd(12)}${NOT_KNOWN}, mean ${cell(mean, 0)}`;
  const deviation = typeof stddev === 'number' ? stddev.toFixed(1) : NOT_KNOWN;
  return `${label.padEnd(12)}${cell(min, 5)} ${cell(mean, 4)} ${deviation.padStart(5)} ${cell(median, 6)} ${cell(max, 7)}`;
}

function cell(value: TimeMs, width: number): string {
  if (value === null) return NOT_KNOWN.padStart(width);
  return (typeof value === 'number' ? String(Math.round(value)) : value).padStart(width);
}

function documentPath({ plan }: RunResult): string {
  const [target] = plan.targets;
  const [step] = plan.journey;
  if (target === undefined || step === undefined) return '';
  const { pathname, search } = new URL(step.path, target.url);
  return pathname + search;
}
