import { FlaskConical } from 'lucide-react';
import type { LabServer } from '#contract/api.ts';
import { useAction } from '#ui/app/backend.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { words } from '#ui/words/words.ts';
import { useWizard } from '../WizardContext.ts';
import type { Login } from './useLogin.ts';

interface LabOfferProps {
  readonly lab: string;
  readonly needsLogin: boolean;
  readonly login: Login;
}

/** For whoever has no server at hand: a practice server, started and filled in with one press. */
export function LabOffer({ lab, needsLogin, login }: LabOfferProps) {
  const { state, dispatch } = useWizard();
  const start = useAction('lab.start', ['lab.list']);
  const say = words.wizard.target.lab;
  const fill = ({ urls, accounts }: LabServer): void =>
    dispatch({ type: 'targetsFilled', targets: urls.map((url) => ({ url, headers: {} })), username: accounts[0]?.username ?? null });
  const press = (): void => start.mutate({ name: lab, options: {} }, { onSuccess: fill });

  if (start.error) return <ProblemBanner problem={start.error} onRetry={press} />;
  const server = start.data;
  const isFilled = server?.urls.every((url) => state.targets.some((target) => target.url === url)) ?? false;
  if (server && isFilled) {
    const [account] = server.accounts;
    return (
      <Banner
        tone="accent"
        announce="status"
        icon={<FlaskConical size={20} />}
        title={say.filled(server.urls.length)}
        actions={
          account && needsLogin ? (
            <Button
              isDisabled={!login.canTry}
              isPending={state.login.status === 'asking'}
              onPress={() => void login.logIn(account.username, account.password)}
            >
              {say.logIn}
            </Button>
          ) : null
        }
      >
        {account ? say.account(account.username, account.password) : null}
      </Banner>
    );
  }
  return (
    <Banner
      tone="accent"
      icon={<FlaskConical size={20} />}
      title={say.question}
      actions={
        <Button isPending={start.isPending} onPress={press}>
          {say.start}
        </Button>
      }
    >
      {start.isPending ? words.common.waitingFor(say.starting) : say.explain}
    </Banner>
  );
}
