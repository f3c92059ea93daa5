import type { CallOutput } from '#contract/api.ts';
import { identifyBaseline, type BaselineOf } from '#core/comparison/baseline.ts';
import type { BaselineRecord } from './machineTables.ts';
import type { RunRecord } from './rows.ts';
import type { Store } from './store.ts';

export const MAX_BASELINE_RUNS = 100;

/** Returns the identity of the baseline that a run belongs to. Renaming the run does not change it. */
export function getBaselineIdentity(store: Store, { key, preset, series_name, target }: RunRecord): BaselineOf {
  return identifyBaseline({ preset, planName: () => series_name ?? store.planName(key), target });
}

/** Returns all repeats of a run. A run of a series represents all repeats of its cell. */
export function listRepeats(store: Store, record: RunRecord): RunRecord[] {
  const { series_id, series_cell } = record;
  return series_id === null ? [record] : store.endedOfCell(series_id, series_cell ?? '');
}

export function outlineOf({ question, isPreset, target, setMs, runs }: BaselineRecord): CallOutput<'baselines.list'>['baselines'][number] {
  return { question, isPreset, target, setAt: new Date(setMs).toISOString(), runIds: runs.map(({ id }) => id) };
}
