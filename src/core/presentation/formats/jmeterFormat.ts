import { failedShareOf, wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { NOT_KNOWN, type TimeMs } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { plansStarts } from '../document/words.ts';

type Stage = RunResult['stages'][number];
type RowFigures = Pick<Stage, 'requests' | 'latency' | 'rates'>;

const COLUMNS = ['Label', '# Samples', 'Average', 'Median', '90% Line', 'Min', 'Max', 'Error %', 'Throughput'] as const;

/**
 * Formats counted stages in the columns of JMeter's aggregate report, one line per step and a total. Whole milliseconds of
 * service times, as in JMeter. Each stage has its own table; stages are never pooled.
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
  const unanswered = counted.reduce((all, { requests, latency }) => all + wantedRequests(requests) - latency.service.count, 0);
  return [
    ...(plansStarts(result) ? ['Times run from the actual start of a request, not from its scheduled start'] : []),
    ...(unanswered > 0 ? [`${unanswered} samples got no complete response: they count as errors and are in no time`] : []),
  ];
}

function table(stage: Stage): string[] {
  const rows = [[...COLUMNS], ...stage.steps.map((step) => row(step.name, step)), row('TOTAL', stage)];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '),
  );
}

function row(label: string, { requests, latency: { service }, rates }: RowFigures): string[] {
  const times = [service.mean, service.p50, service.p90, service.min, service.max].map(cell);
  const failed = failedShareOf(requests);
  const share = failed === null ? NOT_KNOWN : `${(100 * failed).toFixed(2)}%`;
  return [label, String(wantedRequests(requests)), ...times, share, throughput(rates.completedPerSecond)];
}

function cell(value: TimeMs): string {
  if (value === null) return NOT_KNOWN;
  return typeof value === 'number' ? String(Math.round(value)) : value;
}

/** Formats throughput like JMeter: per second, or per minute or hour if lower. */
function throughput(perSecond: number | null): string {
  if (perSecond === null) return NOT_KNOWN;
  if (perSecond >= 1 || perSecond === 0) return `${perSecond.toFixed(1)}/sec`;
  return perSecond * 60 >= 1 ? `${(perSecond * 60).toFixed(1)}/min` : `${(perSecond * 3_600).toFixed(1)}/hour`;
}
