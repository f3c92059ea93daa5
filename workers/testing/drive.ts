import { planSchema, type PlanInput } from '#core/plan/schema.ts';
import { foldWindows } from '#core/stats/windowFold.ts';
import { emptyCell, emptyJourneys, mergeCell, mergeJourneys } from '#core/stats/windowFold.ts';
import type { Cell, JourneyCounts, Window } from '#core/stats/window.ts';
import { sharedClock } from '../clock.ts';
import type { WorkerData } from '../messages.ts';
import { Recorder, type StageRecorder } from '../recorder.ts';
import { LegRun } from '../legRun.ts';

export interface DriveOptions {
  readonly targets: readonly string[];
  readonly stage: PlanInput['load']['stages'][number];
  readonly plan?: Partial<PlanInput>;
  readonly headers?: Record<string, string>;
  readonly thread?: number;
  readonly threads?: number;
  readonly budget?: number;
  readonly clientCertificate?: WorkerData['clientCertificate'];
  /** Stands between the driver and the recorder. */
  wrapRecorder?(recorder: StageRecorder): StageRecorder;
  /** Called with the running stage. */
  onRun?(run: LegRun): void;
}

/** Everything that one driven stage recorded. */
export interface Driven {
  readonly cell: Cell;
  readonly steps: readonly Cell[];
  readonly journeys: JourneyCounts;
  readonly inFlight: number;
  readonly settled: number;
  readonly windows: readonly Window[];
  readonly elapsedUs: number;
  readonly server: string | null;
  readonly firstBodyLengths: readonly number[];
}

/** Runs one stage on this thread, with the parts that a worker thread uses. */
export async function drive(options: DriveOptions): Promise<Driven> {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: options.targets.map((url) => ({ url })),
    journey: [{ name: 'page' }],
    ...options.plan,
    load: { model: 'connections', stages: [options.stage] },
  });
  const data: WorkerData = {
    plan,
    targets: plan.targets.map(({ url }) => ({ url, headers: options.headers ?? {} })),
    steps: plan.journey.map((step) => ({ headers: {}, body: typeof step.body === 'string' ? step.body : null })),
    userAgent: 'Holdfast/test (run test)',
    clientCertificate: options.clientCertificate ?? null,
    thread: options.thread ?? 0,
    threads: options.threads ?? 1,
    firstBodyLengths: shared(plan.journey.length, -1),
    budget: options.budget === undefined ? null : shared(1, options.budget),
    journeysInFlight: shared(1, 0),
  };
  const now = sharedClock();
  const windows: Window[] = [];
  const recorder = new Recorder({
    plansStarts: plan.load.model !== 'connections',
    firstBodyLengths: data.firstBodyLengths,
    inFlight: () => run.inFlight,
    publish: (window) => windows.push(window),
  });
  let server: string | null = null;
  const run = new LegRun(data, 0, {
    now,
    open: (stages) => recorder.open(stages).map((stage) => options.wrapRecorder?.(stage) ?? stage),
    onBudgetSpent: () => run.drain(),
    onServer: (software) => {
      server = software;
    },
    onDraining: () => {},
  });
  const startUs = now();
  recorder.begin(startUs);
  options.onRun?.(run);
  await run.run(now());
  const elapsedUs = now() - startUs;
  recorder.close(now());
  return { ...sumOf(windows, plan.journey.length), windows, elapsedUs, server, firstBodyLengths: [...data.firstBodyLengths] };
}

function sumOf(windows: readonly Window[], steps: number): Pick<Driven, 'cell' | 'steps' | 'journeys' | 'inFlight' | 'settled'> {
  const cells = Array.from({ length: steps }, (_, step) => emptyCell(0, step));
  const cell = emptyCell(0, 0);
  const journeys = emptyJourneys();
  for (const window of foldWindows(windows, 3_600)) {
    mergeJourneys(journeys, window.journeys);
    for (const part of window.cells) {
      mergeCell(cell, part);
      const ofStep = cells[part.step];
      if (ofStep !== undefined) mergeCell(ofStep, part);
    }
  }
  const settled = Object.values(cell.outcomes).reduce((sum, count) => sum + count, 0);
  return { cell, steps: cells, journeys, inFlight: windows.at(-1)?.inFlight ?? 0, settled };
}

function shared(length: number, value: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * 4)).fill(value);
}
