import { Plus, FileUp, FlaskConical } from 'lucide-react';
import { listLabAddresses, presetText, wantsLogin } from '#core/presets/build.ts';
import type { Preset } from '#core/presets/schema.ts';
import { Button } from '#ui/components/Button.tsx';
import { Card, Inline, Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { completeUrl, isSecureUrl, urlProblem } from '#core/plan/url.ts';
import { splitCertificates } from '#core/plan/certificates.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { useWizard } from '../WizardProvider.tsx';
import { usableAnswers, questionsToAsk } from '../state/answers.ts';
import { type Choices, getChoice } from '../state/choices.ts';
import { logsInItself } from '../state/login.ts';
import { listEntries, readTls, sourceKey } from '../state/types.ts';
import { type BeforeNext, LoginForm } from './LoginForm.tsx';
import { TargetBlock } from './TargetBlock.tsx';
import { type Probes, useLogin, useProbes, type Login } from './useLogin.ts';
import { useState, useEffect, useEffectEvent } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { TextField } from '#ui/components/Field.tsx';
import type { LabServer } from '#contract/replies.ts';
import type { Target } from '#core/plan/schema/plan.ts';
import { labAnswersWhileRunning } from '#core/presets/lab.ts';
import { useAction, useCall } from '#ui/shared/backend.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';

/** Certificate settings. Renders nothing if there are no https targets. */
function CertificatePart({ probes }: { readonly probes: Probes }) {
  const { state, dispatch } = useWizard();
  const certificateWords = words.wizard.target.certificate;
  if (!state.targets.some(({ url }) => isSecureUrl(url))) return null;
  const tls = readTls(state);
  const choose = (change: Choices): void => {
    dispatch({ type: 'chosen', change });
    // The probes are repeated with the new settings.
    const probed = state.targets.filter(({ id }) => state.probes[id] !== undefined);
    probes.sendAll(probed, readTls({ ...state, choices: { ...state.choices, ...change } }));
  };
  const trusted = splitCertificates(tls.ca ?? '').length;
  const verified = trusted === 0 ? certificateWords.verified : certificateWords.verifiedByOwn;
  return (
    <Disclosure level={2} title={certificateWords.title} summary={tls.verify ? verified : certificateWords.unverified}>
      <Stack gap={16}>
        <p className="muted">{certificateWords.help}</p>
        {tls.verify ? <AuthorityField trusted={trusted} onChange={(authority) => choose({ authority })} /> : null}
        <Checkbox isSelected={!tls.verify} onChange={(skips) => choose({ verify: !skips })}>
          {certificateWords.skip}
        </Checkbox>
      </Stack>
    </Disclosure>
  );
}

/** Addresses of the servers that steps of a plan refer to by name. Renders nothing if there are none. */
function NamedTargets() {
  const { state, dispatch } = useWizard();
  const targetWords = words.wizard.target;
  if (state.source?.kind !== 'plan') return null;
  const urls = getChoice('namedTargets', state.choices, state.source.plan);
  const names = Object.keys(urls);
  if (names.length === 0) return null;
  const change = (name: string, url: string): void => dispatch({ type: 'chosen', change: { namedTargets: { ...urls, [name]: url } } });
  return (
    <Card title={targetWords.named}>
      <Stack gap={12}>
        <p className="muted">{targetWords.namedHelp}</p>
        {names.map((name) => {
          const url = getOwn(urls, name) ?? '';
          return (
            <TextField
              key={name}
              label={name}
              type="url"
              value={url}
              error={url.trim() === '' ? targetWords.namedMissing : urlProblem(url)}
              onChange={(next) => change(name, next)}
              onBlur={() => {
                if (completeUrl(url) !== url) change(name, completeUrl(url));
              }}
            />
          );
        })}
      </Stack>
    </Card>
  );
}

/** Target page with the address field. Other fields are collapsed, or appear when they are needed. */
export function TargetPage({ preset, onBeforeNext }: { readonly preset: Preset | null; readonly onBeforeNext: (act: BeforeNext) => void }) {
  const { state, dispatch } = useWizard();
  const probes = useProbes();
  const login = useLogin(probes);
  const targetWords = words.wizard.target;
  const help =
    (preset && presetText(preset, preset.targetHelp, usableAnswers(preset, listEntries(state).answers))) || targetWords.addressHelp;
  const several = state.targets.length > 1;
  const answers = Object.values(state.probes).flatMap((probe) => (probe.status === 'responded' ? [probe.result] : []));
  const showsForm = answers.some((probe) => probe.hasLoginForm || probe.redirect?.looksLikeLogin);
  const answered = listEntries(state).answers;
  const wantsIt = preset !== null && wantsLogin(preset, usableAnswers(preset, answered));
  // No login is needed here if each of the plan's users logs in.
  const usersLogIn = preset !== null && logsInItself(preset, answered);
  const hasCookie = state.targets.some(({ cookie }) => cookie !== null);
  return (
    <Stack gap={24}>
      {preset?.lab ? (
        <LabOffer
          lab={preset.lab}
          preset={preset}
          labels={listLabAddresses(preset, usableAnswers(preset, listEntries(state).answers))}
          needsLogin={wantsIt && !hasCookie}
          login={login}
        />
      ) : null}
      <Stack gap={16}>
        {state.targets.map((target, index) => (
          <TargetBlock key={target.id} target={target} number={several ? index + 1 : null} help={help} logsInItself={usersLogIn} />
        ))}
      </Stack>
      <NamedTargets />
      {usersLogIn ? null : <LoginForm isWanted={wantsIt} isDetected={showsForm && !hasCookie} login={login} onBeforeNext={onBeforeNext} />}
      <CertificatePart probes={probes} />
      <Inline gap={12}>
        <Button look="quiet" icon={<Plus />} onPress={() => dispatch({ type: 'targetAdded' })}>
          {targetWords.another}
        </Button>
      </Inline>
      {several ? <p className="muted">{targetWords.anotherHelp}</p> : null}
    </Stack>
  );
}

interface AuthorityFieldProps {
  /** Number of certificates that are trusted instead of the public authorities. */
  readonly trusted: number;
  /** Called with PEM text that contains only certificates. If the text is empty, the public authorities are trusted. */
  readonly onChange: (authority: string) => void;
}

/**
 * Field for the certificate of a private authority, which is pasted or read from a file. A private key in the text never leaves this field.
 */
function AuthorityField({ trusted, onChange }: AuthorityFieldProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const certificateWords = words.wizard.target.certificate;
  const trustAuthority = (pem: string): void => {
    const certificates = splitCertificates(pem);
    if (certificates.length === 0) {
      setError(certificateWords.noCertificate);
      return;
    }
    setText('');
    setError(null);
    onChange(`${certificates.join('\n')}\n`);
  };
  const readFile = async (files: FileList | null): Promise<void> => {
    const file = files?.item(0);
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) setError(certificateWords.noCertificate);
    else trustAuthority(await file.text());
  };
  if (trusted > 0)
    return (
      <Inline gap={12}>
        <output>{certificateWords.trusted(trusted)}</output>
        <Button size="small" onPress={() => onChange('')}>
          {certificateWords.trustPublic}
        </Button>
      </Inline>
    );
  return (
    <Stack gap={8}>
      <TextField
        label={certificateWords.authority}
        help={certificateWords.authorityHelp}
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={4}
        code
        value={text}
        error={error}
        onChange={(next) => {
          setText(next);
          setError(null);
        }}
      />
      <Inline gap={8}>
        <Button size="small" isDisabled={text.trim() === ''} onPress={() => trustAuthority(text)}>
          {certificateWords.trust}
        </Button>
        <FileTrigger acceptedFileTypes={['.pem', '.crt', '.cer']} onSelect={(files) => void readFile(files)}>
          <Button size="small" look="quiet" icon={<FileUp />}>
            {certificateWords.fromFile}
          </Button>
        </FileTrigger>
      </Inline>
    </Stack>
  );
}

/** Maximum size of a file in bytes, which is the maximum size in a plan. */
const MAX_FILE_BYTES = 1_048_576;

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
function LabOffer({ lab, preset, labels, needsLogin, login }: LabOfferProps) {
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
  const settings = questionsToAsk(preset, answers).filter(({ id }) => Object.hasOwn(preset.labAnswers, id)).length;
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
      {settings > 0 ? <p>{labWords.answered(settings)}</p> : null}
    </Banner>
  );
}
