import { FlaskConical } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { LabServer } from '#contract/replies.ts';
import type { Target } from '#core/plan/schema/plan.ts';
import { labAnswersWhileRunning } from '#core/presets/lab.ts';
import type { Preset } from '#core/presets/schema.ts';
import { useAction, useCall } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { words } from '#ui/words/words.ts';
import { questionsToAsk } from '../state/answers.ts';
import { listEntries, sourceKey } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import type { Login } from './useLogin.ts';

interface LabOfferProps {
  readonly lab: string;
  readonly preset: Preset;
  /** Labels of the addresses to use. If there are none, the addresses that the server proposes are used. */
  readonly labels: readonly string[];
  readonly needsLogin: boolean;
  readonly login: Login;
}

function listTargets({ urls, addresses }: LabServer, labels: readonly string[]): Target[] {
  const chosenAddresses = addresses.filter(({ label }) => labels.includes(label));
  if (chosenAddresses.length === 0) return urls.map((url) => ({ url, headers: {} }));
  return chosenAddresses.map(({ label, url }) => ({ name: label, url, headers: {} }));
}

/** Offers a practice server, which one click starts and fills in. */
export function LabOffer({ lab, preset, labels, needsLogin, login }: LabOfferProps) {
  const { state, dispatch } = useWizard();
  const start = useAction('lab.start', ['lab.list']);
  const labs = useCall('lab.list', {});
  const labWords = words.wizard.target.lab;
  const fillTargets = (started: LabServer): void =>
    dispatch({
      type: 'targetsFilled',
      targets: listTargets(started, labels),
      username: started.accounts[0]?.username ?? null,
      answers: labAnswersWhileRunning(preset, started),
    });
  const [isFresh, setFresh] = useState(false);
  const startLab = (): void =>
    start.mutate(
      { name: lab, options: preset.labOptions },
      {
        onSuccess: (started) => {
          fillTargets(started);
          setFresh(true);
        },
      },
    );

  // This also finds a server that is still running when the user returns to this page.
  const server = start.data ?? labs.data?.find(({ name, state: now }) => name === lab && now === 'running');
  const isForThis = state.source !== null && state.practice?.source === sourceKey(state.source);
  const isFilled =
    isForThis && server !== undefined && listTargets(server, labels).every(({ url }) => state.targets.some((target) => target.url === url));
  const account = server?.accounts[0];
  // Logs in automatically, because the pages of the practice server require a login.
  const isDue = isFresh && isFilled && needsLogin && account !== undefined && login.canTry;
  const logInOnce = useEffectEvent(() => {
    setFresh(false);
    if (account) void login.logIn(account.username, account.password);
  });
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- [it is done once for each press]
    if (isDue) logInOnce();
  }, [isDue]);

  if (start.error) return <ProblemBanner problem={start.error} onRetry={startLab} />;
  if (server && isFilled) {
    return (
      <FilledByLab preset={preset} account={account} needsLogin={needsLogin} login={login} count={listTargets(server, labels).length} />
    );
  }
  return (
    <Banner
      tone="accent"
      icon={<FlaskConical size={20} />}
      title={labWords.question}
      actions={
        <Button isPending={start.isPending} onPress={startLab}>
          {labWords.start}
        </Button>
      }
    >
      {start.isPending ? words.common.waitingFor(labWords.starting) : labWords.explain}
    </Banner>
  );
}

interface FilledProps extends Pick<LabOfferProps, 'preset' | 'needsLogin' | 'login'> {
  readonly account: LabServer['accounts'][number] | undefined;
  /** Number of the server's addresses that are filled in. */
  readonly count: number;
}

/** Shows what the running practice server has filled in. */
function FilledByLab({ preset, account, needsLogin, login, count }: FilledProps) {
  const { state } = useWizard();
  const labWords = words.wizard.target.lab;
  const { answers } = listEntries(state);
  const answered = questionsToAsk(preset, answers).flatMap(({ id, label }) => (Object.hasOwn(preset.labAnswers, id) ? [label] : []));
  return (
    <Banner
      tone="accent"
      announce="status"
      icon={<FlaskConical size={20} />}
      title={labWords.filled(count)}
      actions={
        account && needsLogin ? (
          <Button
            isDisabled={!login.canTry}
            isPending={state.login.status === 'asking'}
            onPress={() => void login.logIn(account.username, account.password)}
          >
            {labWords.logIn}
          </Button>
        ) : null
      }
    >
      {account ? <p>{labWords.account(account.username, account.password)}</p> : null}
      {answered.length > 0 ? <p>{labWords.answered(answered)}</p> : null}
    </Banner>
  );
}
