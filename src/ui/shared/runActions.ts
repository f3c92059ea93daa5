import { toProblem } from '#core/base/errors.ts';
import { formatCount } from '#core/base/units.ts';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import { useAction } from './backend.ts';
import { notify } from './notices.tsx';

/** Returns the action that renames a run and then refetches all data that contains names of runs. */
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

/** Calls to fetch again after a baseline was set or removed. */
const BASELINE_CALLS = ['baselines.compare', 'baselines.standings'] as const;

interface NameBaseline {
  readonly isPending: boolean;
  /** Makes runs the baseline, and shows a notice even if the clicked button no longer exists. */
  readonly name: (runIds: readonly string[], onNamed?: () => void) => void;
}

/** Returns the action that makes runs the baseline of their question and target. */
export function useNameBaseline(): NameBaseline {
  const set = useAction('baselines.set', BASELINE_CALLS);
  const nameBaseline = async (runIds: readonly string[], onNamed?: () => void): Promise<void> => {
    try {
      const named = await set.mutateAsync({ runIds: [...runIds] });
      notify(laterWords.baseline.named(formatCount(named.runIds.length)));
      onNamed?.();
    } catch (thrown) {
      notifyFailure(thrown);
    }
  };
  return { isPending: set.isPending, name: (runIds, onNamed) => void nameBaseline(runIds, onNamed) };
}

/** Returns the action that removes the baseline of a run's question. The removal can be undone. */
export function useRemoveBaseline(): { readonly isPending: boolean; readonly takeBack: (runId: string) => void } {
  const remove = useAction('baselines.remove', BASELINE_CALLS);
  const { name } = useNameBaseline();
  const removeBaseline = async (runId: string): Promise<void> => {
    try {
      const { runIds } = await remove.mutateAsync({ runId });
      notify(laterWords.baseline.takenBack, { label: words.app.undo, act: () => name(runIds) });
    } catch (thrown) {
      notifyFailure(thrown);
    }
  };
  return { isPending: remove.isPending, takeBack: (runId) => void removeBaseline(runId) };
}

function notifyFailure(thrown: unknown): void {
  const { message, hint } = toProblem(thrown);
  notify(`${message} ${hint}`);
}
