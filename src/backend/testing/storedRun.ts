import { randomUUID } from 'node:crypto';
import { endBySeconds, generatorWith } from '#core/judgement/verdict/testing/judged.ts';
import type { Window } from '#core/measurement/window.ts';
import { markStorable } from '#core/plan/hideSecrets.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import type { GeneratorWindow } from '../store/folding.ts';
import { storeResult } from '../results/resultOf.ts';
import { openStore, type Store } from '../store/store.ts';
import { headFor, newRun } from './runs.ts';
import { syntheticReading } from './windows.ts';

export interface StoredRun {
  readonly id: string;
  readonly plan: Plan;
  /** One entry per load generator; default: this computer only. */
  readonly generators?: readonly Parameters<typeof generatorWith>[0][];
  /** One window per second. */
  readonly windows: Iterable<GeneratorWindow>;
  readonly startedAt?: Date;
}

/** Yields windows for a run whose only generator is this computer. */
export function* ofOneGenerator(windows: Iterable<Window>): Generator<GeneratorWindow> {
  for (const window of windows) yield { generator: 0, window, reading: syntheticReading(window.second, window.overloadedBy) };
}

/** Stores an ended run without a result, as it is right after its load. Returns the run's key. */
export function storeRun(
  store: Store,
  { id, plan, generators = [{}], windows, startedAt = new Date(Date.UTC(2026, 0, 1, 12)) }: StoredRun,
): number {
  const head = headFor(id, { name: plan.name, startedAt: startedAt.toISOString() });
  const key = store.create(newRun(id, { head, plan: markStorable(plan), target: plan.targets[0]?.url ?? '' }));
  for (const [number, changes] of generators.entries()) {
    const { figures: _figures, overloadedSeconds: _overloadedBy, readings: _readings, ...facts } = generatorWith(changes);
    store.setGenerator(key, number, facts);
  }
  let requests = 0;
  for (const generatorWindow of windows) {
    const { cells, width } = generatorWindow.window;
    requests += cells.reduce((sum, { started }) => sum + started, 0);
    const completedPerSecond = cells.reduce((sum, { outcomes }) => sum + (outcomes.ok ?? 0), 0) / width;
    store.append(key, generatorWindow, { requests, completedPerSecond, nowMs: Date.now() });
  }
  const end = { ...endBySeconds(plan), leftOut: {} };
  const endedAt = new Date(startedAt.getTime() + end.endedAtSecond * 1_000).toISOString();
  store.end(key, { state: 'finished', endedAt, because: null }, end);
  return key;
}

export interface MeasuredRun {
  readonly plan: Omit<PlanInput, 'holdfast'>;
  readonly windows: readonly Window[];
  /** Stores additional data of the run with this key. */
  readonly storeMore?: (store: Store, key: number) => void;
}

/** Stores a run and its result without a load, for tests of screens and reports. Returns the run's id. */
export function putRun(dataDirectory: string, { plan, windows, storeMore: also }: MeasuredRun): string {
  const id = randomUUID();
  const store = openStore(dataDirectory);
  try {
    const startedAt = new Date(Date.now() - 1_000 * windows.length);
    const key = storeRun(store, { id, plan: planSchema.parse({ holdfast: 1, ...plan }), windows: ofOneGenerator(windows), startedAt });
    also?.(store, key);
    storeResult(store, store.find(id));
  } finally {
    store.close();
  }
  return id;
}
