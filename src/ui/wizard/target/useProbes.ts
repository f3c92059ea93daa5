import { asksOfSingle } from '#core/review/asks/ask.ts';
import { problemOf } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useConnection } from '#ui/app/backend.ts';
import { toTarget } from '../state/entries.ts';
import { probeAbout } from '../state/reducer.ts';
import { agreedByAsking } from '../state/agreement.ts';
import { tlsOf, wizardWay, type TargetEntry } from '../state/types.ts';
import { urlProblem } from '#core/plan/url.ts';
import { useWizard } from '../WizardContext.ts';

export interface Probes {
  /** Sends one request to each target whose address is one; `tls` where it was changed just now. */
  sendAll(targets: readonly TargetEntry[], tls?: Plan['tls']): void;
}

export function useProbes(): Probes {
  const connection = useConnection();
  const { state, dispatch } = useWizard();
  const send = async (target: TargetEntry, tls: Plan['tls']): Promise<void> => {
    const { id } = target;
    const about = probeAbout(target, tls);
    dispatch({ type: 'probeAsked', id });
    try {
      const single = { target: toTarget(target), ...wizardWay(state, tls) };
      const agreed = agreedByAsking(state, asksOfSingle(single));
      const result = await connection.call('targets.probe', { ...single, agreed });
      dispatch({ type: 'probeAnswered', id, about, result });
    } catch (thrown) {
      dispatch({ type: 'probeFailed', id, about, problem: problemOf(thrown) });
    }
  };
  return {
    sendAll(targets, tls = tlsOf(state)) {
      for (const target of targets) if (target.url.trim() !== '' && urlProblem(target.url) === null) void send(target, tls);
    },
  };
}
