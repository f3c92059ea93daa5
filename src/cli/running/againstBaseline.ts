import type { Client } from '#contract/rpc/client.ts';
import { judgeGate } from '#core/comparison/baseline.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode, EXIT_OF_GATE } from '../exitCodes.ts';
import { comparisonText, problemText } from '../output/problems.ts';
import type { ComparisonSide } from './findRun.ts';

export interface Baseline {
  /** Runs of the baseline; null selects the stored baseline of the preset (or plan) and target. */
  readonly side: ComparisonSide | null;
  /** By how much a figure may become worse, as a fraction. A figure counts as worse only if that is certain enough. */
  readonly tolerance: number;
}

export interface MeasuredRuns {
  readonly code: ExitCode;
  /** Ids of the runs; empty if there are none. */
  readonly runIds: readonly string[];
}

const BASELINE_GONE = problemText({
  message: 'The baseline is gone: during the test, somebody removed it, set other runs or deleted them.',
  hint: 'The result is kept, without a comparison. To list baselines: holdfast baseline. To compare now: holdfast compare RUN,RUN,… RUN,RUN,…',
});

/**
 * Compares a measurement with its baseline, prints the comparison, and returns the exit code of both: first for a failed measurement, then
 * for a failed criterion, then for a worse figure. If the baseline was deleted during the run, the exit code is that of an inconclusive
 * result.
 */
export async function judgeAgainstBaseline(
  { code, runIds }: MeasuredRuns,
  { side, tolerance }: Baseline,
  { isQuiet, isOutputTaken }: { readonly isQuiet: boolean; readonly isOutputTaken: boolean },
  context: Pick<CliContext, 'out' | 'err'>,
  client: Client,
): Promise<ExitCode> {
  if (runIds.length === 0 || (code !== EXIT.fine && code !== EXIT.criteriaFailed && code !== EXIT.inconclusive)) return code;
  const comparison = await compareWithBaseline(side, runIds, client);
  if (comparison === null) {
    await context.err.write(BASELINE_GONE);
    return combineExitCodes(code, EXIT.inconclusive);
  }
  if (!isQuiet) await (isOutputTaken ? context.err : context.out).write(`\n${comparisonText(comparison)}`);
  return combineExitCodes(code, EXIT_OF_GATE[judgeGate(comparison, tolerance)]);
}

/** Compares runs with a baseline. Returns null if the stored baseline no longer exists. */
export async function compareWithBaseline(
  side: ComparisonSide | null,
  runIds: readonly string[],
  client: Client,
): Promise<Comparison | null> {
  const [runId = ''] = runIds;
  if (side === null) return (await client.call('baselines.compare', { runId })).comparison;
  const sides = [
    { name: 'baseline', ...side },
    { name: 'now', runIds: [...runIds] },
  ];
  return client.call('comparisons.make', { sides });
}

/** Combines the exit codes of a finished measurement and its comparison. */
export function combineExitCodes(measured: ExitCode, compared: ExitCode): ExitCode {
  return measured === EXIT.fine || (measured === EXIT.inconclusive && compared === EXIT.worse) ? compared : measured;
}
