import { useAction } from './backend.ts';

/** Gives a run another name, and has everything asked again that shows names of runs or finds runs by them. */
export function useRename() {
  return useAction('runs.rename', [
    'runs.list',
    'runs.result',
    'runs.trends',
    'baselines.compare',
    'baselines.standings',
    'comparisons.make',
  ]);
}
