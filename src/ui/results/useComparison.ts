import { useCall } from '../app/backend.ts';
import { compareAddress } from '../app/compareAddress.ts';
import { words } from '../words/words.ts';

/** Where a run is laid beside the run before of the same name and target, where there is one: a fix is seen in one step. */
export function useComparison(runId: string): { readonly address: string; readonly label: string } {
  const [trend] = useCall('runs.trends', { runIds: [runId] }).data ?? [];
  const before = trend?.runIds.at(-2);
  const { fromResult, withRunBefore } = words.compare;
  return before === undefined
    ? { address: compareAddress([[runId]]), label: fromResult }
    : { address: compareAddress([[before], [runId]]), label: withRunBefore };
}
