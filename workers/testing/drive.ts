import type { FeedRows } from '#core/plan/schema/feeds.ts';
import { packFeed, type WorkerData } from '../messages.ts';
import { firstStepIndex, hasSideCalls } from '#core/work/journey/flow/executions.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { emptyCell, foldWindows, mergeCell } from '#core/measurement/windowFold.ts';
import { addCounters, JOURNEY_COUNTERS, zeroCounters } from '#core/measurement/counters.ts';
import type { Cell, JourneyCounts, Window } from '#core/measurement/window.ts';
import { createSharedClock } from '../clock.ts';
import { Recorder, type StageRecorder } from '../recorder.ts';
import { Sampler } from '../sampling/sampler.ts';
import { LegRun } from '../legRun.ts';

type ConnectionsStageInput = Extract<PlanInput['load'], { model: 'connections' }>['stages'][number];

export interface DriveOptions {
  readonly targets: readonly string[];
  /** A stage of fixed connections. If the model is another one, the first leg of `load` runs. */
  readonly stage?: ConnectionsStageInput | undefined;
  readonly load?: PlanInput['load'] | undefined;
  readonly plan?: Partial<PlanInput>;
  readonly headers?: Record<string, string>;
  readonly secrets?: Record<string, string>;
  readonly feeds?: Readonly<Record<string, FeedRows>>;
  readonly files?: WorkerData['files'];
  readonly largeFiles?: WorkerData['largeFiles'];
  readonly thread?: number;
  readonly threads?: number;
  readonly runId?: string;
  readonly budget?: number;
  readonly clientCertificate?: WorkerData['clientCertificate'];
  readonly sharedBudget?: Int32Array | undefined;
  /** Memory that concurrent drives share, as threads do. */
  readonly journeysInFlight?: Int32Array;
  /** Resolves after the preparation to the start time on the shared clock. The default is now. */
  readonly startUs?: Promise<number>;
  /** Wraps the recorder of each stage. */
  wrapRecorder?(recorder: StageRecorder, stage: number): StageRecorder;
  onRun?(run: LegRun): void;
}

/** Everything that was recorded for the stages. */
export interface DriveResult {
  readonly cell: Cell;
  readonly steps: readonly Cell[];
  readonly journeys: JourneyCounts;
  readonly inFlight: number;
  readonly settled: number;
  readonly windows: readonly Window[];
  readonly samples: readonly Sample[];
  readonly elapsedUs: number;
  readonly server: string | null;
  readonly firstBodyLengths: readonly number[];
}

/** Runs one leg on this thread with the parts of a load thread. */
export async function drive(options: DriveOptions): Promise<DriveResult> {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: options.targets.map((url) => ({ url })),
    journey: [{ name: 'page' }],
    ...options.plan,
    load: options.load ?? { model: 'connections', stages: options.stage === undefined ? [] : [options.stage] },
  });
  const data: WorkerData = {
    runId: options.runId ?? 'test',
    plan,
    targets: plan.targets.map(({ url }) => ({ url, headers: options.headers ?? {} })),
    namedTargets: Object.fromEntries(
      Object.entries(plan.namedTargets ?? {}).map(([name, { url, headers }]) => [name, { url, headers: textsIn(headers) }]),
    ),
    steps: plan.journey.map((step) => ({ headers: textsIn(step.headers), body: typeof step.body === 'string' ? step.body : null })),
    feeds: Object.fromEntries(Object.entries(options.feeds ?? {}).map(([name, feed]) => [name, packFeed(feed)])),
    files: options.files ?? {},
    largeFiles: options.largeFiles,
    sampling: 'failures',
    secrets: options.secrets ?? {},
    userAgent: 'Holdfast/test (run test)',
    clientCertificate: options.clientCertificate ?? null,
    thread: options.thread ?? 0,
    threads: options.threads ?? 1,
    generator: { index: 0, count: 1 },
    firstBodyLengths: createSharedNumbers(listRecordedRequests(plan).length, -1),
    budget: options.sharedBudget ?? (options.budget === undefined ? null : createSharedNumbers(1, options.budget)),
    journeysInFlight: options.journeysInFlight ?? createSharedNumbers(1, 0),
    rowsTaken: createSharedNumbers(1, 0),
  };
  const now = createSharedClock();
  const windows: Window[] = [];
  const samples: Sample[] = [];
  const recorder = new Recorder({
    plansStarts: plan.load.model !== 'connections',
    firstStep: firstStepIndex(plan),
    firstBodyLengths: data.firstBodyLengths,
    inFlight: () => run.inFlight,
    ...(hasSideCalls(plan) ? { sideInFlight: () => run.sideInFlight } : {}),
    publish: (window) => windows.push(window),
  });
  let server: string | null = null;
  const run = new LegRun(data, 0, {
    now,
    open: (stages) => recorder.open(stages).map((stage, position) => options.wrapRecorder?.(stage, stages[position] ?? 0) ?? stage),
    loads: (stages) => recorder.loads(stages),
    sampler: new Sampler('failures', plan, (sample) => samples.push(sample)),
    onBudgetSpent: () => run.drain(),
    onServer: (software) => {
      server = software;
    },
    onDraining: () => {},
  });
  options.onRun?.(run);
  const startUs = (await options.startUs) ?? now();
  recorder.begin(Math.min(startUs, now()));
  await run.run(startUs);
  const elapsedUs = now() - startUs;
  recorder.close(now());
  return {
    ...sumOf(windows, listRecordedRequests(plan).length),
    windows,
    samples,
    elapsedUs,
    server,
    firstBodyLengths: [...data.firstBodyLengths],
  };
}

function textsIn(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}

function sumOf(windows: readonly Window[], steps: number): Pick<DriveResult, 'cell' | 'steps' | 'journeys' | 'inFlight' | 'settled'> {
  const cells = Array.from({ length: steps }, (_, step) => emptyCell(0, step));
  const cell = emptyCell(0, 0);
  const journeys = zeroCounters(JOURNEY_COUNTERS);
  for (const window of foldWindows(windows, 3_600)) {
    addCounters(JOURNEY_COUNTERS, journeys, window.journeys);
    for (const part of window.cells) {
      mergeCell(cell, part);
      const ofStep = cells[part.step];
      if (ofStep !== undefined) mergeCell(ofStep, part);
    }
  }
  const settled = Object.values(cell.outcomes).reduce((sum, count) => sum + count, 0);
  return { cell, steps: cells, journeys, inFlight: windows.at(-1)?.inFlight ?? 0, settled };
}

export function createSharedNumbers(length: number, value: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * 4)).fill(value);
}
