import { asksOfSingle } from '#core/review/asks/ask.ts';
import { problemOf } from '#core/base/errors.ts';
import { useConnection } from '#ui/app/backend.ts';
import { toTarget } from '../state/entries.ts';
import { agreedByAsking } from '../state/agreement.ts';
import { wizardWay, type KeptCookie } from '../state/types.ts';
import { urlProblem } from '#core/plan/url.ts';
import { useWizard } from '../WizardContext.ts';
import type { Probes } from './useProbes.ts';

export interface Login {
  /** There is an address to log in at, and no login is under way. */
  readonly canTry: boolean;
  /** Logs in at every target, then looks at each again with its cookie. True when all worked; else the state says why not. */
  logIn(username: string, password: string): Promise<boolean>;
}

export function useLogin(probes: Probes): Login {
  const { state, dispatch } = useWizard();
  const connection = useConnection();
  const targets = state.targets.filter(({ url }) => url.trim() !== '' && urlProblem(url) === null);
  return {
    canTry: targets.length > 0 && state.login.status !== 'asking',
    async logIn(username, password) {
      const about = JSON.stringify([targets.map(({ url }) => url), username]);
      dispatch({ type: 'loginAsked', about });
      try {
        const kept: { id: number; url: string; cookie: KeptCookie }[] = [];
        const explanations = new Set<string>();
        for (const target of targets) {
          const { url } = toTarget(target);
          const way = wizardWay(state);
          const agreed = agreedByAsking(state, asksOfSingle({ target: { url, headers: {} }, ...way }));
          const answer = await connection.call('targets.login', { url, username, password, ...way, agreed });
          kept.push({ id: target.id, url, cookie: { secret: answer.cookie.secret, names: answer.cookieNames, from: 'login' } });
          explanations.add(answer.explanation);
        }
        // Where the password went is told of each server.
        const explanation = [...explanations].join(' ');
        dispatch({ type: 'loginAnswered', about, cookies: kept, result: { cookieNames: kept[0]?.cookie.names ?? [], explanation } });
        probes.sendAll(targets.map((target) => ({ ...target, cookie: kept.find(({ id }) => id === target.id)?.cookie ?? null })));
        return true;
      } catch (thrown) {
        dispatch({ type: 'loginFailed', about, problem: problemOf(thrown) });
        return false;
      }
    },
  };
}
