import { problemOf } from '#core/errors.ts';
import { useConnection } from '#ui/app/backend.ts';
import { toTarget } from '../state/entries.ts';
import { probeAbout } from '../state/reducer.ts';
import type { TargetEntry } from '../state/types.ts';
import { urlProblem } from '../state/url.ts';
import { useWizard } from '../WizardContext.ts';

export interface Probes {
  /** Sends one request to each target whose address is one. */
  sendAll(targets: readonly TargetEntry[]): void;
}

export function useProbes(): Probes {
  const connection = useConnection();
  const { dispatch } = useWizard();
  const send = async (target: TargetEntry): Promise<void> => {
    const { id } = target;
    const about = probeAbout(target);
    dispatch({ type: 'probeAsked', id });
    try {
      const result = await connection.call('targets.probe', { target: toTarget(target) });
      dispatch({ type: 'probeAnswered', id, about, result });
    } catch (thrown) {
      dispatch({ type: 'probeFailed', id, about, problem: problemOf(thrown) });
    }
  };
  return {
    sendAll(targets) {
      for (const target of targets) if (target.url.trim() !== '' && urlProblem(target.url) === null) void send(target);
    },
  };
}
