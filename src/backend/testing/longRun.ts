import type { GeneratorWindow } from '../store/folding.ts';
import type { Store } from '../store/store.ts';
import { planFor } from './plans.ts';
import { storeRun } from './storedRun.ts';
import { syntheticReading, syntheticWindow } from './windows.ts';

export interface LongRun {
  readonly id: string;
  readonly seconds: number;
  readonly hosts: number;
  readonly steps: number;
  /** Requests per second of each host. */
  readonly perSecond?: number;
}

/** Stores an ended run from several hosts, but no result. Each host repeats the seconds of a minute. */
export function storeLongRun(store: Store, run: LongRun): void {
  const { id, seconds, hosts, steps } = run;
  const plan = planFor('http://127.0.0.1:1/', {
    journey: Array.from({ length: steps }, (_, step) => ({ name: `step ${step}` })),
    load: { model: 'connections', stages: [{ name: 'load', connections: 50 * hosts, seconds }] },
  });
  const generators = Array.from({ length: hosts }, (_, host) => ({ name: `host ${host}`, hostname: `host-${host}`, cores: 4, threads: 3 }));
  storeRun(store, { id, plan, generators, windows: makeWindows(run) });
}

function* makeWindows({ seconds, hosts, steps, perSecond = 1_000 }: LongRun): Generator<GeneratorWindow> {
  const minutes = Array.from({ length: hosts }, (_, host) =>
    Array.from({ length: Math.min(seconds, 60) }, (_second, second) => syntheticWindow(second, { perSecond, steps, seed: host })),
  );
  for (let second = 0; second < seconds; second++)
    for (const [generator, minute] of minutes.entries()) {
      const window = minute[second % minute.length];
      if (window !== undefined) yield { generator, window: { ...window, second }, reading: syntheticReading(second) };
    }
}
