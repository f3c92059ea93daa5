import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { notify } from '#ui/shared/notices.tsx';
import { words } from '#ui/words/words.ts';
import { useWizard } from '../WizardProvider.tsx';
import type { Login } from './useLogin.ts';
import styles from './TargetPage.module.css';

/** Action before the page is left. It returns whether it succeeded; null if there is no action. */
export type BeforeNext = (() => Promise<boolean>) | null;

interface LoginFormProps {
  /** Whether the preset's pages need a login. */
  readonly isWanted: boolean;
  /** Whether a probe detected a login form. */
  readonly isDetected: boolean;
  readonly login: Login;
  readonly onBeforeNext: (act: BeforeNext) => void;
}

export function LoginForm({ isWanted, isDetected, ...fields }: LoginFormProps) {
  const targetWords = words.wizard.target;
  if (!isWanted && !isDetected) {
    return (
      <Disclosure level={2} title={targetWords.login} summary={targetWords.loginSummary}>
        <LoginFields {...fields} />
      </Disclosure>
    );
  }
  return (
    <Card title={targetWords.login}>
      <Stack gap={12}>
        {isDetected ? <Banner tone="inconclusive">{targetWords.loginDetected}</Banner> : null}
        <LoginFields {...fields} />
      </Stack>
    </Card>
  );
}

/** Login fields. The password exists only here, never in the wizard's state or in storage, and is cleared after use. */
function LoginFields({ login, onBeforeNext }: Pick<LoginFormProps, 'login' | 'onBeforeNext'>) {
  const { state, dispatch } = useWizard();
  const [password, setPassword] = useState('');
  const targetWords = words.wizard.target;
  const { username } = state;
  const canLogIn = login.canTry && username.trim() !== '' && password !== '';
  const logIn = async (): ReturnType<Login['logIn']> => {
    const outcome = canLogIn ? await login.logIn(username, password) : null;
    if (outcome !== null) setPassword('');
    return outcome;
  };
  // Next logs in if a name and a password were entered. The next page shows the result.
  const logInFirst = useEffectEvent(async () => {
    const outcome = await logIn();
    if (outcome !== null) notify(`${targetWords.loggedIn(outcome.cookieNames.length)} ${outcome.explanation}`);
    return outcome !== null;
  });
  useEffect(() => {
    onBeforeNext(canLogIn ? () => logInFirst() : null);
    return () => onBeforeNext(null);
  }, [canLogIn, onBeforeNext]);
  return (
    <Stack gap={12}>
      <p className="muted">{targetWords.loginStory}</p>
      <div className={styles.loginFields}>
        <TextField
          label={targetWords.username}
          value={username}
          onChange={(next) => dispatch({ type: 'usernameChanged', username: next })}
          onEnter={() => void logIn()}
        />
        <TextField label={targetWords.password} type="password" value={password} onChange={setPassword} onEnter={() => void logIn()} />
        <Button icon={<KeyRound />} isDisabled={!canLogIn} isPending={state.login.status === 'asking'} onPress={() => void logIn()}>
          {targetWords.loginButton}
        </Button>
      </div>
      <LoginOutcome />
    </Stack>
  );
}

function LoginOutcome() {
  const { login } = useWizard().state;
  const targetWords = words.wizard.target;
  if (login.status === 'asking') return <p aria-live="polite">{words.common.waitingFor(targetWords.loginWaiting)}</p>;
  if (login.status === 'failed') return <ProblemBanner problem={login.problem} />;
  if (login.status === 'idle') return null;
  return (
    <Banner tone="passed" announce="status" title={targetWords.loggedIn(login.result.cookieNames.length)}>
      {login.result.explanation}
    </Banner>
  );
}
