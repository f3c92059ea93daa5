import { generatorWith } from '#core/judgement/verdict/testing/judged.ts';
import { asStorable } from '#core/plan/hideSecrets.ts';
import type { Store } from '../store/store.ts';
import { planFor } from './plans.ts';
import { newRun } from './runs.ts';
import { syntheticReading, syntheticWindow } from './windows.ts';

export interface LongRun {
  readonly id: string;
  readonly seconds: number;
  readonly hosts: number;
  readonly steps: number;
  /** Of each host. */
  readonly perSecond?: number;
}

/** Stores a run from several hosts that has ended and has no result yet. Each host repeats the seconds of a minute. */
export function storeLongRun(store: Store, { id, seconds, hosts, steps, perSecond = 1_000 }: LongRun): void {
  const plan = planFor('http://127.0.0.1:1/', {
    journey: Array.from({ length: steps }, (_, step) => ({ name: `step ${step}` })),
    load: { model: 'connections', stages: [{ name: 'load', connections: 50 * hosts, seconds }] },
  });
  const key = store.create({ ...newRun(id), plan: asStorable(plan) });
  for (let host = 0; host < hosts; host++) {
    const {
      figures: _figures,
      sickSeconds: _sick,
      readings: _readings,
      ...facts
    } = generatorWith({ name: `host ${host}`, hostname: `host-${host}`, cores: 4, threads: 3 });
    store.setGenerator(key, host, facts);
  }
  const minutes = Array.from({ length: hosts }, (_, host) =>
    Array.from({ length: Math.min(seconds, 60) }, (_second, second) => syntheticWindow(second, { perSecond, steps, seed: host })),
  );
  for (let second = 0; second < seconds; second++) {
    for (const [generator, minute] of minutes.entries()) {
      const window = minute[second % minute.length];
      if (window === undefined) continue;
      const generatorWindow = { generator, window: { ...window, second }, reading: syntheticReading(second) };
      store.append(key, generatorWindow, {
        requests: second * hosts * perSecond,
        completedPerSecond: hosts * perSecond,
        nowMs: Date.now(),
      });
    }
  }
  store.end(
    key,
    { state: 'finished', endedAt: new Date().toISOString(), because: null },
    {
      firstBodyLengths: Array.from({ length: steps }, () => 6_844),
      serverSoftware: null,
      addresses: {},
      leftOut: {},
      stages: [{ startedAtSecond: 0, endedAtSecond: seconds }],
      endedAtSecond: seconds,
    },
  );
}
