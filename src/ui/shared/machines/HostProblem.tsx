import { capitalize } from '#core/base/text.ts';
import { z } from 'zod';
import { useState } from 'react';
import type { Problem } from '#core/base/errors.ts';
import { Stack } from '#ui/components/Page.tsx';
import { ProblemBanner, Banner } from '#ui/components/Banner.tsx';
import { Button, CopyableText } from '#ui/components/Button.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '#ui/words/words.ts';
import { useAction } from '../backend.ts';
import { Download } from 'lucide-react';

const keySchema = z.object({ name: z.string(), label: z.string(), type: z.string(), fingerprint: z.string() });
const secretSchema = z.object({
  question: z.object({ kind: z.enum(['password', 'passphrase', 'prompt']), host: z.string(), label: z.string() }),
});
const withoutNodeSchema = z.object({ host: z.string(), nodePackage: z.string() });

/** Returns the data of a problem if the problem has this code; undefined otherwise. */
function getData<Data>(problem: Problem, code: string, schema: z.ZodType<Data>): Data | undefined {
  return problem.code === code ? schema.safeParse(problem.data).data : undefined;
}

/** Shows the fingerprint of an unknown key, and asks whether to trust the key. */
function UnknownKey({ shown, onTrusted }: { readonly shown: z.infer<typeof keySchema>; readonly onTrusted: () => void }) {
  const trust = useAction('hosts.trust', ['checks.machine']);
  const unknownWords = laterWords.hosts.unknown;
  const { name, label, type, fingerprint } = shown;
  const command = `ssh-keygen -l -f /etc/ssh/ssh_host_${getFile(type)}_key.pub`;
  const trustKey = (): void => trust.mutate({ keyName: name, fingerprint }, { onSuccess: onTrusted });
  return (
    <Stack gap={12}>
      <Banner
        tone="inconclusive"
        announce="alert"
        title={unknownWords.title(label)}
        actions={
          <Button isPending={trust.isPending} onPress={trustKey}>
            {unknownWords.trust}
          </Button>
        }
      >
        <Stack gap={4}>
          <p>{unknownWords.fingerprint(type)}</p>
          <CopyableText text={fingerprint} label={unknownWords.copy} />
          <p>{unknownWords.text}</p>
          <CopyableText text={command} label={unknownWords.copyCommand} />
        </Stack>
      </Banner>
      {trust.error ? <ProblemBanner problem={trust.error} onRetry={onTrusted} /> : null}
    </Stack>
  );
}

/** Returns the key type as it appears in OpenSSH's file names. */
function getFile(type: string): string {
  return type.startsWith('ecdsa') ? 'ecdsa' : type.replace(/^ssh-/, '');
}

type Question = z.infer<typeof secretSchema>['question'];

/** Asks for a password, a passphrase, or the reply to a question from the host. */
function SecretQuestion({ question, onReplied }: { readonly question: Question; readonly onReplied: () => void }) {
  const [value, setValue] = useState('');
  const reply = useAction('hosts.reply');
  const secretWords = laterWords.hosts.secret;
  const sendSecret = (): void => {
    if (value !== '') reply.mutate({ question, value }, { onSuccess: onReplied });
  };
  return (
    <Stack gap={12}>
      <Banner tone="accent" announce="status" title={secretWords.title(question.host)}>
        {secretWords.help}
      </Banner>
      <TextField label={capitalize(question.label)} type="password" value={value} onChange={setValue} onEnter={sendSecret} />
      <div>
        <Button look="primary" isPending={reply.isPending} isDisabled={value === ''} onPress={sendSecret}>
          {secretWords.go}
        </Button>
      </div>
      {reply.error ? <ProblemBanner problem={reply.error} onRetry={sendSecret} /> : null}
    </Stack>
  );
}

/** Shows a problem with a host: as a question if the user can solve it, otherwise as a banner. */
export function HostProblem({ problem, onAgain }: { readonly problem: Problem; readonly onAgain: () => void }) {
  const key = getData(problem, 'HOST_KEY_UNKNOWN', keySchema);
  if (key) return <UnknownKey shown={key} onTrusted={onAgain} />;
  const secret = getData(problem, 'HOST_SECRET_NEEDED', secretSchema);
  if (secret) return <SecretQuestion key={JSON.stringify(secret)} question={secret.question} onReplied={onAgain} />;
  const withoutNode = getData(problem, 'HOST_NO_NODE', withoutNodeSchema);
  return (
    <Stack gap={12}>
      <ProblemBanner problem={problem} onRetry={onAgain} />
      {withoutNode ? <NodeOffer name={withoutNode.host} onDone={onAgain} /> : null}
    </Stack>
  );
}

/** Offers to copy Node to a host on which it is missing. Nothing is downloaded before the user agrees. */
export function NodeOffer({ name, onDone }: { readonly name: string; readonly onDone: () => void }) {
  const install = useAction('hosts.installNode');
  const nodeWords = laterWords.hosts.node;
  const begin = (): void => install.mutate({ name }, { onSuccess: onDone });
  return (
    <Stack gap={12}>
      <Banner
        tone="info"
        actions={
          <Button icon={<Download />} isPending={install.isPending} onPress={begin}>
            {nodeWords.install}
          </Button>
        }
      >
        {install.isPending ? <span aria-live="polite">{words.common.waitingFor(nodeWords.installing(name))}</span> : nodeWords.offer}
      </Banner>
      {install.error ? <ProblemBanner problem={install.error} onRetry={begin} /> : null}
    </Stack>
  );
}
