import { HoldfastError } from '#core/base/errors.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import type { Cell, Window } from '#core/measurement/window.ts';
import { emptyCell, mergeCellIntoTotal } from '#core/measurement/windowFold.ts';
import type { EngineEnd, LoadJob } from '#engine/engine.ts';
import { startEngine } from '#engine/startEngine.ts';

/** Everything that the engine reports about one load. */
export interface MeasuredLoad {
  readonly engine: string;
  readonly engineVersion: string;
  readonly end: EngineEnd;
  /** The sum of all windows. */
  readonly cell: Cell;
  readonly windows: readonly Window[];
  readonly inFlight: number;
  /** Duration of the load without its drain. */
  readonly loadSeconds: number;
}

export interface MeasureParts {
  readonly workerEntry: URL;
  readonly signal: AbortSignal;
}

/** Returns a plan with one GET request to one address, and defaults for everything else. */
export function selfTestPlan(url: string, changes: Omit<PlanInput, 'holdfast' | 'name' | 'targets' | 'journey'>): Plan {
  return planSchema.parse({ holdfast: 1, name: 'Self-test', targets: [{ url }], journey: [{ name: 'request' }], ...changes });
}

/** Runs a plan with the real engine until the end of its drain. Throws `CANCELLED` if the self-test was stopped. */
export async function measure(plan: Plan, { workerEntry, signal }: MeasureParts): Promise<MeasuredLoad> {
  throwIfStopped(signal);
  const job: LoadJob = {
    runId: 'selftest',
    plan,
    targets: plan.targets.map(({ url }) => ({ url, headers: {} })),
    steps: plan.journey.map(() => ({ headers: {}, body: null })),
    secrets: {},
    feeds: {},
    files: {},
    sampling: 'failures',
    userAgent: 'Holdfast (self-test)',
    clientCertificate: null,
  };
  const windows: Window[] = [];
  const run = startEngine(
    job,
    { workerEntry },
    { onDraining() {}, onStage() {}, onEvent() {}, onWindow: (window) => void windows.push(window) },
  );
  const stop = (): void => run.stop();
  signal.addEventListener('abort', stop);
  const end = await run.done;
  signal.removeEventListener('abort', stop);
  throwIfStopped(signal);
  const cell = emptyCell(0, 0);
  for (const window of windows) for (const part of window.cells) mergeCellIntoTotal(cell, part);
  const [stage] = end.stages;
  return {
    engine: run.engine,
    engineVersion: run.engineVersion,
    end,
    cell,
    windows,
    inFlight: windows.at(-1)?.inFlight ?? 0,
    loadSeconds: stage ? stage.endedAtSecond - stage.startedAtSecond : 0,
  };
}

export function throwIfStopped(signal: AbortSignal): void {
  if (!signal.aborted) return;
  throw new HoldfastError({ code: 'CANCELLED', message: 'The self-test was stopped.', hint: 'Nothing of it is kept.' });
}
