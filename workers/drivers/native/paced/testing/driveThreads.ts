import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Cell, JourneyCounts } from '#core/measurement/window.ts';
import { addCounters, JOURNEY_COUNTERS, zeroCounters } from '#core/measurement/counters.ts';
import { emptyCell, mergeCell } from '#core/measurement/windowFold.ts';
import { createSharedClock } from '#workers/clock.ts';
import type { LegRun } from '#workers/legRun.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import { drive, createSharedNumbers } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';

/** Time between the call and the start, so that every driver can receive the start time. */
const START_AHEAD_US = 20_000;

export interface ThreadsOptions {
  readonly targets: readonly string[];
  readonly load: PlanInput['load'];
  readonly threads?: number;
  readonly plan?: Partial<PlanInput>;
  readonly budget?: number;
  onRuns?(runs: readonly LegRun[], startUs: number): void;
  /** Ends the load as soon as it returns true, so that the test does not depend on the speed of the machine. */
  until?(reported: CallCounts): boolean;
}

/** Number of calls of each recorder method, over all recorders. */
export type CallCounts = Readonly<Record<keyof StageRecorder, number>>;

const CHECK_INTERVAL_MS = 5;

/** One request that a driver started. Times are in microseconds from the start. */
export interface Start {
  readonly thread: number;
  readonly stage: number;
  readonly step: number;
  readonly intendedUs: number;
}

export interface ThreadsDriven {
  /** Started requests, ordered by scheduled start. */
  readonly starts: readonly Start[];
  /** Arrival times of complete responses, in microseconds from the start. */
  readonly responsesUs: readonly number[];
  readonly cell: Cell;
  readonly journeys: JourneyCounts;
  readonly inFlight: number;
  readonly elapsedUs: number;
  cellOfStage(stage: number): Cell;
  /** Returns all contradictions within the recorded counts, or between them and the server's count. */
  discrepancies(serverRequests: number): string[];
}

/** Drives the first leg of a plan with several load threads, all on this thread. */
export async function driveThreads(options: ThreadsOptions): Promise<ThreadsDriven> {
  const { threads = 1 } = options;
  const { promise: start, resolve: startAt } = Promise.withResolvers<number>();
  let startUs = Number.POSITIVE_INFINITY;
  const starts: Start[] = [];
  const responsesUs: number[] = [];
  const runs: LegRun[] = [];
  const counts = new Map<string, number>();
  const journeysInFlight = createSharedNumbers(1, 0);
  const budget = options.budget === undefined ? undefined : createSharedNumbers(1, options.budget);
  const driving = Array.from({ length: threads }, (_, thread) =>
    drive({
      ...options,
      thread,
      threads,
      startUs: start,
      journeysInFlight,
      sharedBudget: budget,
      wrapRecorder: (recorder, stage) => logStarts(recorder, { stage, thread, startUs: () => startUs, starts, responsesUs, counts }),
      onRun: (run) => runs.push(run),
    }),
  );
  startUs = createSharedClock()() + START_AHEAD_US;
  startAt(startUs);
  // Lets the drivers continue before this function does.
  await start;
  options.onRuns?.(runs, startUs);
  const looking = options.until === undefined ? undefined : drainWhen(options.until, runs, counts);
  const driven = await Promise.all(driving);
  clearInterval(looking);
  const cells = driven.flatMap(({ windows }) => windows.flatMap((window) => window.cells));
  const summed = (parts: readonly Cell[]): Cell => {
    const sum = emptyCell(0, 0);
    for (const part of parts) mergeCell(sum, part);
    return sum;
  };
  const journeys = zeroCounters(JOURNEY_COUNTERS);
  for (const part of driven) addCounters(JOURNEY_COUNTERS, journeys, part.journeys);
  const inFlight = driven.reduce((sum, part) => sum + part.inFlight, 0);
  const cell = summed(cells);
  const settled = driven.reduce((sum, part) => sum + part.settled, 0);
  const [first] = driven;
  if (first === undefined) throw new RangeError('At least one thread drives.');
  return {
    starts: starts.toSorted((one, other) => one.intendedUs - other.intendedUs),
    responsesUs,
    cell,
    journeys,
    inFlight,
    elapsedUs: Math.max(...driven.map(({ elapsedUs }) => elapsedUs)),
    cellOfStage: (stage) => summed(cells.filter((part) => part.stage === stage)),
    discrepancies: (serverRequests) => [
      ...discrepancies({ ...first, cell, journeys, inFlight, settled }, serverRequests),
      ...(starts.length === cell.started ? [] : [`${starts.length} requests started, ${cell.started} are counted`]),
      ...(Atomics.load(journeysInFlight, 0) === 0 ? [] : ['journeys are over and count as on their way']),
    ],
  };
}

function drainWhen(
  isOver: (reported: CallCounts) => boolean,
  runs: readonly LegRun[],
  counts: ReadonlyMap<string, number>,
): NodeJS.Timeout {
  const reported = new Proxy({} as CallCounts, { get: (_, name) => counts.get(String(name)) ?? 0 });
  return setInterval(() => {
    if (isOver(reported)) for (const run of runs) run.drain();
  }, CHECK_INTERVAL_MS);
}

interface Watch {
  readonly stage: number;
  readonly thread: number;
  readonly startUs: () => number;
  readonly starts: Start[];
  readonly responsesUs: number[];
  readonly counts: Map<string, number>;
}

/** Logs the scheduled starts, which are the actual starts minus the lag. */
function logStarts(recorder: StageRecorder, { stage, thread, startUs, starts, responsesUs, counts }: Watch): StageRecorder {
  let startedUs = 0;
  return new Proxy(recorder, {
    get(target, name: keyof StageRecorder) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const method = target[name].bind(target);
      if (name === 'requestStarted') {
        return (step: number, atUs: number) => {
          startedUs = atUs;
          target.requestStarted(step, atUs);
        };
      }
      if (name === 'startedLate') {
        return (step: number, lagUs: number) => {
          starts.push({ thread, stage, step, intendedUs: startedUs - lagUs - startUs() });
          target.startedLate(step, lagUs);
        };
      }
      if (name === 'requestCompleted') {
        return (...response: Parameters<StageRecorder['requestCompleted']>) => {
          responsesUs.push(response[1] - startUs());
          target.requestCompleted(...response);
        };
      }
      return method;
    },
  });
}
