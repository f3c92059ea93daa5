import { OUTCOMES } from '#core/measurement/ledger.ts';
import { csvLines } from '#core/base/text.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';
import { type LatencySummary, TABLE_TIMES } from '#core/statistics/latencySummary.ts';

/**
 * One line for each step of each stage, and one for the stage itself, whose step is empty: RFC 4180, times in ms. A percentile that falls on
 * requests without a good answer is the word never; what is not known is empty, never 0.
 */
export function formatStepsCsv({ stages }: Pick<RunResult, 'stages'>): string {
  const header = [
    'stage',
    'counted',
    'step',
    'sent',
    ...OUTCOMES,
    'unanswered',
    'started_per_second',
    'answered_per_second',
    'bytes_per_second',
    ...['response', 'service', 'error_adjusted'].flatMap((kind) => TABLE_TIMES.map((time) => `${kind}_${time}_ms`)),
    'budget_ms',
    'within_budget',
  ];
  const rows = stages.flatMap((stage) => [
    lineOf(stage.name, stage.counted, '', stage),
    ...stage.steps.map((step) => lineOf(stage.name, stage.counted, step.name, step)),
  ]);
  return csvLines([header, ...rows]);
}

type Figures = Omit<RunResult['steps'][number], 'name'>;

function lineOf(stage: string, counted: boolean, step: string, { requests, rates, latency, budget }: Figures): (string | number | null)[] {
  return [
    stage,
    counted ? 'yes' : 'no',
    step,
    requests.sent,
    ...OUTCOMES.map((outcome) => requests[outcome]),
    requests.inFlight,
    rates.startedPerSecond,
    rates.completedPerSecond,
    rates.bytesPerSecond,
    ...[latency.response, latency.service, latency.errorAdjusted].flatMap(timesOf),
    budget?.limitMs ?? null,
    budget?.share ?? null,
  ];
}

function timesOf(summary: LatencySummary): TimeMs[] {
  return TABLE_TIMES.map((time) => summary[time]);
}
