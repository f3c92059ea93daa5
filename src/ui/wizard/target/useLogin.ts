import { asksOfSingle } from '#core/review/asks/ask.ts';
import { toProblem } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useConnection } from '#ui/shared/backend.ts';
import { urlProblem } from '#core/plan/url.ts';
import { toTarget } from '../state/entries.ts';
import { probeKey } from '../state/reducer.ts';
import { agreedByProbe } from '../state/answers.ts';
import { type KeptCookie, type LoginOutcome, type TargetEntry, readTls, wizardConnection } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';

export interface Probes {
  /** Sends one request to each target with a valid address. `tls` has settings that were just changed. */
  sendAll(targets: readonly TargetEntry[], tls?: Plan['tls']): void;
}

export function useProbes(): Probes {
  const connection = useConnection();
  const { state, dispatch } = useWizard();
  const sendProbe = async (target: TargetEntry, tls: Plan['tls']): Promise<void> => {
    const { id } = target;
    const about = probeKey(target, tls);
    dispatch({ type: 'probeChanged', id, probe: { status: 'asking', about } });
    try {
      const single = { target: toTarget(target), ...wizardConnection(state, tls) };
      const agreedKeys = agreedByProbe(state, asksOfSingle(single));
      const result = await connection.call('targets.probe', { ...single, agreed: agreedKeys });
      dispatch({ type: 'probeChanged', id, probe: { status: 'responded', about, result } });
    } catch (thrown) {
      dispatch({ type: 'probeChanged', id, probe: { status: 'failed', about, problem: toProblem(thrown) } });
    }
  };
  return {
    sendAll(targets, tls = readTls(state)) {
      for (const target of targets) if (target.url.trim() !== '' && urlProblem(target.url) === null) void sendProbe(target, tls);
    },
  };
}

export interface Login {
  /** Whether there is a valid address and no login is in progress. */
  readonly canTry: boolean;
  /** Logs in to every target, then probes each target with its cookie. Returns null if a login failed; the reason is in the state. */
  logIn(username: string, password: string): Promise<LoginOutcome | null>;
}

export function useLogin(probes: Probes): Login {
  const { state, dispatch } = useWizard();
  const connection = useConnection();
  const targets = state.targets.filter(({ url }) => url.trim() !== '' && urlProblem(url) === null);
  return {
    canTry: targets.length > 0 && state.login.status !== 'asking',
    async logIn(username, password) {
      const about = JSON.stringify([targets.map(({ url }) => url), username]);
      dispatch({ type: 'loginChanged', login: { status: 'asking', about } });
      try {
        const kept: { id: number; url: string; cookie: KeptCookie }[] = [];
        const explanations = new Set<string>();
        for (const target of targets) {
          const { url } = toTarget(target);
          const way = wizardConnection(state);
          const agreedKeys = agreedByProbe(state, asksOfSingle({ target: { url, headers: {} }, ...way }));
          const answer = await connection.call('targets.login', { url, username, password, ...way, agreed: agreedKeys });
          kept.push({ id: target.id, url, cookie: { secret: answer.cookie.secret, names: answer.cookieNames, from: 'login' } });
          explanations.add(answer.explanation);
        }
        // The explanation states, for each server, where the password was sent.
        const explanation = [...explanations].join(' ');
        const result = { cookieNames: kept[0]?.cookie.names ?? [], explanation };
        dispatch({ type: 'loginChanged', login: { status: 'responded', about, result }, cookies: kept });
        probes.sendAll(targets.map((target) => ({ ...target, cookie: kept.find(({ id }) => id === target.id)?.cookie ?? null })));
        return result;
      } catch (thrown) {
        dispatch({ type: 'loginChanged', login: { status: 'failed', about, problem: toProblem(thrown) } });
        return null;
      }
    },
  };
}
