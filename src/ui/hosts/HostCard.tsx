import { PlugZap, Trash2 } from 'lucide-react';
import type { Host } from '#core/hosts/schema.ts';
import { useAction } from '../app/backend.ts';
import { notify } from '../app/notices.ts';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { Inline, Stack } from '../components/Page.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { words } from '../words/words.ts';
import { HostFactList } from './HostFactList.tsx';
import styles from './Hosts.module.css';
import { NodeOffer } from './NodeOffer.tsx';
import { SecretQuestion, secretAsked } from './SecretQuestion.tsx';
import { UnknownKey, unknownKey } from './UnknownKey.tsx';

/** One host: where it is, whether it answers, and what it has to be told or asked before it does. */
export function HostCard({ host }: { readonly host: Host }) {
  const test = useAction('hosts.test');
  const remove = useAction('hosts.remove', ['hosts.list']);
  const add = useAction('hosts.add', ['hosts.list']);
  const say = words.hosts;
  const { name } = host;
  const tryIt = (): void => test.mutate({ name });
  const onRemoved = (): void => notify(say.removed(name), { label: words.app.undo, act: () => add.mutate({ host }) });
  return (
    <Card
      title={name}
      actions={
        <Button
          look="quiet"
          size="small"
          icon={<Trash2 />}
          aria-label={say.removeNamed(name)}
          isPending={remove.isPending}
          onPress={() => remove.mutate({ name }, { onSuccess: onRemoved })}
        />
      }
    >
      <Stack gap={16}>
        <p className={styles.way}>{wayTo(host)}</p>
        {remove.error ? <ProblemBanner problem={remove.error} /> : null}
        {test.error ? <TestProblem problem={test.error} onAgain={tryIt} /> : null}
        {test.isPending ? <p aria-live="polite">{words.common.waitingFor(say.testing(name))}</p> : null}
        {test.data ? <HostFactList report={test.data} /> : null}
        {test.data && test.data.node?.isEnough !== true && test.data.nodePackage !== null ? <NodeOffer name={name} onDone={tryIt} /> : null}
        <Inline>
          <Button icon={<PlugZap />} isPending={test.isPending} onPress={tryIt}>
            {say.test}
          </Button>
        </Inline>
      </Stack>
    </Card>
  );
}

/** What keeps it from answering: a question to the person where one would help, else the problem. */
function TestProblem({
  problem,
  onAgain,
}: {
  readonly problem: Parameters<typeof ProblemBanner>[0]['problem'];
  readonly onAgain: () => void;
}) {
  const key = unknownKey(problem);
  if (key !== null) return <UnknownKey shown={key} onTrusted={onAgain} />;
  const question = secretAsked(problem);
  if (question !== null) return <SecretQuestion key={JSON.stringify(question)} question={question} onAnswered={onAgain} />;
  return <ProblemBanner problem={problem} onRetry={onAgain} />;
}

function wayTo({ address, user, port, jump, keyPath }: Host): string {
  const say = words.hosts.form;
  const place = `${user === null ? '' : `${user}@`}${address}${port === null ? '' : `:${port}`}`;
  const parts = [place, jump === null ? '' : `${say.jump}: ${jump}`, keyPath === null ? '' : `${say.keyPath}: ${keyPath}`];
  return parts.filter(Boolean).join(' · ');
}
