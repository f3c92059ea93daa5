import { HoldfastError } from '#core/base/errors.ts';
import { importedRun, type ImportedRun } from '#core/k6/prometheus/importedRun.ts';
import { shownText } from '#core/plan/hiddenText.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunHead } from '#core/result/schema.ts';
import { unknownReading } from '#core/result/readings.ts';
import { formatCount } from '#core/base/units.ts';
import { ownIdentity } from '#engine/processIdentity.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import type { Secrets } from '../secrets.ts';
import { readRunFromPrometheus } from './prometheus.ts';
import { newRunId } from './recovery.ts';

export interface K6ImportParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly version: string;
  readonly results: Pick<ResultThread, 'ask'>;
}

export interface K6Import {
  /** Address of Prometheus. */
  readonly url: string;
  /** Name of the TestRun, or the value of the tag `testid`. */
  readonly run: string;
  /** The plan that was exported as the k6 script: it defines steps, stages and pass criteria. */
  readonly plan: Plan;
  /** How far back the run is searched. */
  readonly days: number;
}

/** Imports a finished run of k6 into the store. Throws `NO_SUCH_K6_RUN`, or the errors of reading Prometheus. */
export async function importK6Run(
  { store, secrets, version, results }: K6ImportParts,
  { url, run, plan, days }: K6Import,
): Promise<{ runId: string }> {
  const made = { ...hideSecrets(plan, secrets.keep), engine: 'k6' as const };
  const imported = importedRun(made, await readRunFromPrometheus(url, run, days));
  if (imported === null) throw noSuchRun(url, run, days);
  const head = headOf(made, run, imported, version);
  const target = shownText(made.targets[0]?.url ?? '');
  const key = store.create({ head, target, plan: made, owner: ownIdentity(), nowMs: Date.now() });
  for (const text of eventsOf(run, url, imported)) store.addEvent(key, { second: 0, kind: 'k6', text });
  let requests = 0;
  for (const window of imported.windows) {
    for (const { started } of window.cells) requests += started;
    const generatorWindow = { generator: 0, window, reading: unknownReading(window.second) };
    store.append(key, generatorWindow, { requests, completedPerSecond: null, nowMs: Date.now() });
  }
  const { firstBodyLengths, addresses, leftOut, stages, serverSoftware, endedAtSecond } = imported.end;
  store.end(
    key,
    { state: 'finished', endedAt: new Date(imported.endedMs).toISOString(), because: null },
    {
      firstBodyLengths: [...firstBodyLengths],
      addresses: { ...addresses },
      leftOut: { ...leftOut },
      stages: [...stages],
      serverSoftware,
      endedAtSecond,
    },
  );
  await results.ask('own.storeResult', { runId: head.id });
  return { runId: head.id };
}

function headOf(plan: Plan, run: string, { beganMs }: ImportedRun, holdfastVersion: string): RunHead {
  const began = new Date(beganMs);
  return {
    id: newRunId(began),
    name: plan.name,
    note: `Run ${run} of k6, from Prometheus.`,
    preset: plan.preset ?? null,
    startedAt: began.toISOString(),
    endedAt: null,
    state: 'preparing',
    endedBecause: null,
    holdfastVersion,
  };
}

function eventsOf(run: string, url: string, { hasHistograms, windows, instances }: ImportedRun): string[] {
  const width = windows[0]?.width ?? 1;
  return [
    `Imported from ${new URL(url).origin}: the run “${run}” of k6, made by ${formatCount(instances)} ${instances === 1 ? 'runner' : 'runners'}. k6 wrote there every ${width} s: all data have this resolution, and the start may be late by as much. Times exclude opening the connection, and are exact to the buckets of Prometheus (about 5 %). Unknown: schedule lag, bytes of single steps, body lengths, and the load generators.`,
    ...(hasHistograms
      ? []
      : [
          'Times of this run are unknown: it has no native histograms. Run k6 with K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM=true, and Prometheus with --enable-feature=native-histograms.',
        ]),
  ];
}

function noSuchRun(url: string, run: string, days: number): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_K6_RUN',
    message: `${new URL(url).origin} has no requests of a run “${run}” in the last ${days} days.`,
    hint: 'Check the name: of the TestRun, or from --tag testid=…. Also check that k6 ran with --out experimental-prometheus-rw, and Prometheus with --web.enable-remote-write-receiver.',
  });
}
