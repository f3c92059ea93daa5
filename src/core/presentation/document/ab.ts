import { abTable, type AbTimes, maxConcurrency, meanTimePerRequest } from '#core/judgement/abTable.ts';
import {
  formatBytes,
  formatCount,
  formatMs,
  formatNumber,
  formatRate,
  formatSeconds,
  UNKNOWN_TEXT,
  type TimeMs,
} from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { column, numbers, type Passage, table, text } from './model.ts';
import { formatOpenedConnections } from './special.ts';
import { percentileText, TITLES } from './words.ts';

/** Percentiles in a latency summary, in percent; 100 is the maximum. */
const PERCENTILES: readonly (readonly [key: Exclude<keyof LatencySummary, 'count'>, percent: number])[] = [
  ['p50', 50],
  ['p66', 66],
  ['p75', 75],
  ['p80', 80],
  ['p90', 90],
  ['p95', 95],
  ['p98', 98],
  ['p99', 99],
  ['p99_9', 99.9],
  ['max', 100],
];

/** Returns the figures of ApacheBench, for readers who are used to them. Missing values are shown as unknown. */
export function abBlocks(result: RunResult): Passage[] {
  const { service, errorAdjusted } = result.latency;
  const printed = abTable(result);
  return [
    ...table('Percentiles of response times', PERCENTILES, [
      column('Share', ([, percent]) => (percent === 100 ? '100 % (max)' : `${formatNumber(percent)} %`)),
      numbers('All responses', ([key, percent]) => percentileText(service[key], percent)),
      numbers(TITLES.failuresAsTimeouts, ([key, percent]) => percentileText(errorAdjusted[key], percent), { term: 'errorAdjusted' }),
    ]),
    ...table('Totals and rates', totals(result), [column('Figure', ([name]) => name), numbers('Value', ([, value]) => value)]),
    ...text(
      printed.failed.length > 0
        ? 'ApacheBench counts a response as failed if its length differs from the first one; Holdfast does not.'
        : '',
    ),
    ...timesTable(printed),
  ];
}

function totals(result: RunResult): (readonly [name: string, value: string])[] {
  const { server, bodyLength, bytes, plan, rates } = result;
  const { failed, complete, takenSeconds, non2xx } = abTable(result);
  const rate = takenSeconds === null || takenSeconds === 0 ? null : complete / takenSeconds;
  return [
    ['Server software', server.software ?? UNKNOWN_TEXT],
    ['Server', `${server.host}:${server.port}`],
    ['Length of the first response', bodyLength.first === null ? UNKNOWN_TEXT : `${formatCount(bodyLength.first)} B`],
    ['Concurrent connections', formatCount(maxConcurrency(result))],
    ['Time taken', formatSeconds(takenSeconds)],
    ['Complete requests', formatCount(complete)],
    ['Failed requests', formatCount(failed.total)],
    [
      'of these: connect, receive, length, exceptions',
      [failed.connect, failed.receive, failed.length, failed.exceptions].map(formatCount).join(', '),
    ],
    ['Non-2xx responses', formatCount(non2xx)],
    ['Total received', formatBytes(bytes.received)],
    ['Body bytes received', plan.engine === 'k6' ? UNKNOWN_TEXT : formatBytes(bytes.body)],
    ['Requests per second', formatRate(rate)],
    ['Time per request (mean)', endlessText(meanTimePerRequest(result))],
    ['Time per request (mean, across all connections)', rate === null || rate === 0 ? UNKNOWN_TEXT : formatMs(1_000 / rate)],
    ['Transfer rate', rates.bytesPerSecond === null ? UNKNOWN_TEXT : `${formatBytes(rates.bytesPerSecond)}/s`],
    ...formatOpenedConnections(result),
  ];
}

function timesTable({ connect, processing, waiting, total }: ReturnType<typeof abTable>): Passage[] {
  const rows: readonly { readonly text: string; readonly explanation: string; readonly times: AbTimes }[] = [
    { text: 'Connect', explanation: 'Opening the connection; 0 ms for requests on a connection that was already open.', times: connect },
    { text: 'Processing', explanation: 'From the open connection to the last byte of the response.', times: processing },
    {
      text: 'First byte',
      explanation: 'From sending the request to the first byte of the response (ApacheBench calls it waiting).',
      times: waiting,
    },
    { text: 'Total', explanation: 'From sending the request, or opening its connection, to the last byte (service time).', times: total },
  ];
  return table('Connection times', rows, [
    column('Part', ({ text, explanation }) => ({ text, explanation })),
    numbers('Min', ({ times }) => endlessText(times.min)),
    numbers('Mean', ({ times }) => endlessText(times.mean)),
    numbers('± sd', ({ times }) => endlessText(times.stddev)),
    numbers('Median', ({ times }) => endlessText(times.median)),
    numbers('Max', ({ times }) => endlessText(times.max)),
  ]);
}

/** Returns a mean or deviation as text. It is unbounded if a request never completed. */
export function endlessText(time: TimeMs): string {
  return time === 'never' ? 'some requests failed' : formatMs(time);
}
