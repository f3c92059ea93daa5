import { truncateName } from '#core/base/foreignNames.ts';
import { countOf, formatCount } from '#core/base/units.ts';
import type { RunEvent } from '#core/result/schema.ts';

/** Outcome of the exports to an OTLP receiver. */
export interface ExportTally {
  readonly exports: number;
  readonly failed: number;
  /** Why the last export failed; null if it arrived. */
  readonly problem: string | null;
}

export interface SinkReport extends ExportTally {
  /** Origin of the receiver. */
  readonly receiver: string;
}

export const SINK_EVENT = 'metricsSink';

const MAX_PROBLEM_LENGTH = 80;

/** Returns a short reason from an error of the exporter. What a receiver wrote is cut and stripped of control characters. */
export function formatProblem(error: unknown): string {
  const { code, message = '' } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'number') return code >= 300 && code < 400 ? `status ${code}; redirects are not followed` : `status ${code}`;
  if (typeof code === 'string') return truncateName(code, MAX_PROBLEM_LENGTH);
  if (/timed out|limit reached/i.test(message)) return 'no complete response in time';
  return truncateName(message, MAX_PROBLEM_LENGTH) || 'unknown';
}

export function sumReports(receiver: string, tallies: readonly ExportTally[]): SinkReport {
  const sum = (pick: (tally: ExportTally) => number): number => tallies.reduce((all, tally) => all + pick(tally), 0);
  const problem = tallies.find((tally) => tally.problem !== null)?.problem ?? null;
  return { receiver, exports: sum(({ exports }) => exports), failed: sum(({ failed }) => failed), problem };
}

/** Returns the event of a run that says whether its metrics arrived. */
export function sinkEvent(report: SinkReport, second: number): RunEvent {
  return { second, kind: SINK_EVENT, text: sentence(report), data: report };
}

function sentence({ receiver, exports, failed, problem }: SinkReport): string {
  const failures = `${formatCount(failed)} of ${countOf(exports, 'export')} failed`;
  if (problem !== null) return `The last metrics did not arrive at ${receiver}: ${failures} (${problem}). The load was not affected.`;
  if (failed > 0) return `All metrics arrived at ${receiver}, although ${failures}: each export has all figures so far.`;
  return `All metrics arrived at ${receiver}, in ${countOf(exports, 'export')}.`;
}
