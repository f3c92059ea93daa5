import { formatBytes, formatMs, formatRate } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { STATUS_CLASSES } from '#core/measurement/cellFigures.ts';
import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import type { Capacity } from '#core/judgement/capacity/capacity.ts';
import { capacitySentences, scalingTable } from '#core/judgement/capacity/words.ts';
import { textTable } from './textTable.ts';

const TIME_COLUMNS = ['min', 'p50', 'p90', 'p95', 'p99', 'p99_9', 'max'] as const;

/** Whether it is known when requests were to start, so that response times and service times are two things. k6 does not tell it. */
export function plansStarts({ plan }: Pick<RunResult, 'plan'>): boolean {
  return plan.load.model !== 'connections' && plan.engine !== 'k6';
}

/** The table of times; for models that plan when requests start with what each of them counts from. */
export function textTimes(result: RunResult, width?: number): string[] {
  const { rates, bytes } = result;
  return [
    `Answered ${formatRate(rates.completedPerSecond, 'requests')} · ${formatBytes(rates.bytesPerSecond)}/s · ${formatBytes(bytes.received)} received`,
    ...textTable({
      columns: TIME_COLUMNS.map((column) => column.replace('_', '.')),
      rows: rowsOf(result).map(([name, summary]) => [name, ...TIME_COLUMNS.map((column) => formatMs(summary[column]))]),
      width,
    }),
    ...(plansStarts(result) ? ['  Response times count from when a request was due, service times from when it was sent.'] : []),
  ];
}

function rowsOf(result: RunResult): [string, LatencySummary][] {
  const { latency, phases } = result;
  const rows: [string, LatencySummary][] = [];
  if (plansStarts(result)) rows.push(['response time', latency.response]);
  rows.push(['service time', latency.service], ...classRows(result), ['error-adjusted', latency.errorAdjusted]);
  const parts: readonly (readonly [string, LatencySummary | null])[] = [
    ['connect', phases.connect],
    ['TLS', phases.tls],
    ['first byte', phases.firstByte],
    ['transfer', phases.transfer],
    ['sent late by', phases.scheduleLag],
  ];
  for (const [name, summary] of parts) if (summary) rows.push([name, summary]);
  return rows;
}

/** Service times by class of status, where answers were of more than one: fast errors make good times otherwise. */
function classRows({ latencyByStatusClass }: RunResult): [string, LatencySummary][] {
  const seen = STATUS_CLASSES.flatMap((name): [string, LatencySummary][] => {
    const summary = latencyByStatusClass[name];
    return summary === undefined || summary.count === 0 ? [] : [[`  of ${name}`, summary]];
  });
  return seen.length > 1 ? seen : [];
}

/** For a terminal: what can be told, then the levels that it was read from. Nothing where there is nothing to tell. */
export function capacityLinesOf(capacity: Capacity): string[] {
  const sentences = capacitySentences(capacity);
  if (sentences.length === 0) return [];
  return [
    'How much it can do',
    ...sentences.map((sentence) => `  ${sentence}`),
    ...capacity.sets.flatMap((one) => [...(one.set.name === '' ? [] : [`  ${one.set.name}`]), ...columns(scalingTable(one))]),
  ];
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
    return `  ${cells.join('  ').trimEnd()}`;
  });
}
