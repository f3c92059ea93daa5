import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { GeneratorReading, RunEvent } from '#core/result/schema.ts';
import type { Cell, JourneyCounts, Window } from '#core/measurement/window.ts';
import { addCounters, JOURNEY_COUNTERS, zeroCounters } from '#core/measurement/counters.ts';
import { emptyCell, mergeCell } from '#core/measurement/windowFold.ts';
import type { EngineEnd, EngineRun, LoadJob } from '../engine.ts';
import { startEngine } from '../startEngine.ts';
import { loadWorkerEntry } from '#tools/testing/threads.ts';

export interface LoadResult {
  readonly end: EngineEnd;
  readonly threads: number;
  readonly windows: readonly Window[];
  readonly readings: readonly GeneratorReading[];
  readonly events: readonly RunEvent[];
  readonly stagesReported: readonly number[];
  readonly drainingReported: number;
  readonly cell: Cell;
  readonly journeys: JourneyCounts;
  readonly inFlight: number;
}

export function buildJob(targets: readonly string[], plan: Partial<PlanInput>): LoadJob {
  const parsed: Plan = planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: targets.map((url) => ({ url })),
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [] },
    ...plan,
  });
  return {
    runId: 'test',
    plan: parsed,
    targets: parsed.targets.map(({ url }) => ({ url, headers: {} })),
    steps: parsed.journey.map(() => ({ headers: {}, body: null })),
    secrets: {},
    feeds: {},
    files: {},
    sampling: 'failures',
    userAgent: 'Holdfast/test (run test)',
    clientCertificate: null,
  };
}

/** A load worker whose second thread crashes 1.5 s after the start of the load. */
const CRASHING = `
import { parentPort, workerData } from 'node:worker_threads';
import ${JSON.stringify(loadWorkerEntry.href)};
if (workerData.data.thread === 1)
  parentPort.on('message', ({ type }) => {
    if (type !== 'start') return;
    setTimeout(() => {
      throw new Error('out of luck');
    }, 1_500);
  });`;
export const crashingWorkerEntry = new URL(`data:text/javascript,${encodeURIComponent(CRASHING)}`);

/** Runs a plan on real worker threads. Calls `onWindow` with each window and the run. */
export async function runLoad(
  job: LoadJob,
  onWindow: (window: Window, run: EngineRun) => void = () => {},
  workerEntry: URL = loadWorkerEntry,
): Promise<LoadResult> {
  const windows: Window[] = [];
  const readings: GeneratorReading[] = [];
  const events: RunEvent[] = [];
  const stagesReported: number[] = [];
  let drainingReported = 0;
  const run = startEngine(
    job,
    { workerEntry },
    {
      onDraining: () => {
        drainingReported += 1;
      },
      onStage: (stage) => stagesReported.push(stage),
      onWindow: (window, reading) => {
        windows.push(window);
        readings.push(reading);
        onWindow(window, run);
      },
      onEvent: (event) => events.push(event),
    },
  );
  const end = await run.done;
  const cell = emptyCell(0, 0);
  const journeys = zeroCounters(JOURNEY_COUNTERS);
  for (const window of windows) {
    addCounters(JOURNEY_COUNTERS, journeys, window.journeys);
    for (const part of window.cells) mergeCell(cell, part);
  }
  const inFlight = windows.at(-1)?.inFlight ?? 0;
  return { end, threads: run.threads, windows, readings, events, stagesReported, drainingReported, cell, journeys, inFlight };
}
