import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { problemOf } from '#core/errors.ts';
import { useConnection } from '#ui/app/backend.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { TextField } from '#ui/components/TextField.tsx';
import { words } from '#ui/words/words.ts';
import { toTarget } from '../state/entries.ts';
import type { KeptCookie } from '../state/types.ts';
import { urlProblem } from '../state/url.ts';
import { useWizard } from '../WizardContext.ts';
import styles from './TargetPage.module.css';
import type { Probes } from './useProbes.ts';

interface LoginFormProps {
  /** The preset says that its pages lie behind a login. */
  readonly isWanted: boolean;
  /** A test request met a login form. */
  readonly isDetected: boolean;
  readonly probes: Probes;
}

export function LoginForm({ isWanted, isDetected, probes }: LoginFormProps) {
  const say = words.wizard.target;
  if (!isWanted && !isDetected) {
    return (
      <Disclosure level={2} title={say.login} summary={say.loginSummary}>
        <LoginFields probes={probes} />
      </Disclosure>
    );
  }
  return (
    <Card title={say.login}>
      <Stack gap={12}>
        {isDetected ? <Banner tone="inconclusive">{say.loginDetected}</Banner> : null}
        <LoginFields probes={probes} />
      </Stack>
    </Card>
  );
}

/** The password lives in this field only: it is in no state, no storage and is cleared when it has been used. */
function LoginFields({ probes }: { readonly probes: Probes }) {
  const { state, dispatch } = useWizard();
  const connection = useConnection();
  const [password, setPassword] = useState('');
  const say = words.wizard.target;
  const { login, username } = state;
  const targets = state.targets.filter(({ url }) => url.trim() !== '' && urlProblem(url) === null);
  const canLogIn = targets.length > 0 && username.trim() !== '' && password !== '' && login.status !== 'asking';

  const logIn = async (): Promise<void> => {
    if (!canLogIn) return;
    const about = JSON.stringify([targets.map(({ url }) => url), username]);
    dispatch({ type: 'loginAsked', about });
    try {
      const kept: { id: number; url: string; cookie: KeptCookie }[] = [];
      let explanation = '';
      for (const target of targets) {
        const { url } = toTarget(target);
        const answer = await connection.call('targets.login', { url, username, password });
        kept.push({ id: target.id, url, cookie: { secret: answer.cookie.secret, names: answer.cookieNames, from: 'login' } });
        explanation ||= answer.explanation;
      }
      const cookieNames = kept[0]?.cookie.names ?? [];
      dispatch({ type: 'loginAnswered', about, cookies: kept, result: { cookieNames, explanation } });
      setPassword('');
      probes.sendAll(targets.map((target) => ({ ...target, cookie: kept.find(({ id }) => id === target.id)?.cookie ?? null })));
    } catch (thrown) {
      dispatch({ type: 'loginFailed', about, problem: problemOf(thrown) });
    }
  };

  return (
    <Stack gap={12}>
      <p className={styles.help}>{say.loginStory}</p>
      <div className={styles.loginFields}>
        <TextField
          label={say.username}
          value={username}
          autoComplete="off"
          onChange={(next) => dispatch({ type: 'usernameChanged', username: next })}
          onEnter={() => void logIn()}
        />
        <TextField
          label={say.password}
          type="password"
          value={password}
          autoComplete="off"
          onChange={setPassword}
          onEnter={() => void logIn()}
        />
        <Button icon={<KeyRound />} isDisabled={!canLogIn} isPending={login.status === 'asking'} onPress={() => void logIn()}>
          {say.loginButton}
        </Button>
      </div>
      {login.status === 'answered' ? (
        <Banner tone="holds" announce="status" title={say.loggedIn(login.result.cookieNames.length)}>
          {login.result.explanation}
        </Banner>
      ) : null}
      {login.status === 'failed' ? <ProblemBanner problem={login.problem} /> : null}
    </Stack>
  );
}
