import type { z } from 'zod';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith } from '#core/testing/plans.ts';
import type { CellFigures } from '../result.ts';
import type { CellRun } from '../result.ts';
import { seriesSchema, type SeriesDocument } from '#core/plan/schema/series.ts';

/** Returns a valid plan with the given series. */
export function documentWith(series: z.input<typeof seriesSchema>, plan: Partial<PlanInput> = {}): SeriesDocument {
  return { plan: planWith(plan), series: seriesSchema.parse(series) };
}

export function figuresWith(changes: Partial<CellFigures> = {}): CellFigures {
  return {
    sent: 100,
    ok: 100,
    failedShare: 0,
    completedPerSecond: 50,
    okPerSecond: 50,
    pagesPerSecond: null,
    servers: null,
    fromCache: null,
    p50: 10,
    p95: 20,
    p99: 30,
    errorAdjustedP95: 20,
    outcome: 'measured',
    budgets: [],
    overloadedSeconds: 0,
    duet: null,
    behaviour: [],
    ...changes,
  };
}

export function cellRun(cell: string, repeat: number, changes: Partial<CellRun> = {}): CellRun {
  const runId = `run-${cell}-${repeat}`;
  const nothing = { phase: null, reason: null, commands: [], rest: null };
  return { position: repeat, cell, repeat, state: 'value', runId, figures: figuresWith(), ...nothing, ...changes };
}
