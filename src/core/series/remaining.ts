import type { CellRun } from './result.ts';

/**
 * The runs that a series which ended early still has to make, as they were planned: those never begun, and those cut off or not read, which stay
 * in the history as runs. What was measured or refused is settled.
 */
export function remainingRuns(runs: readonly CellRun[]): CellRun[] {
  return runs.filter(({ state }) => state !== 'value' && state !== 'refused').map(asPlanned);
}

function asPlanned({ position, cell, repeat }: CellRun): CellRun {
  return { position, cell, repeat, state: 'waiting', phase: null, reason: null, runId: null, figures: null, commands: [], rest: null };
}
