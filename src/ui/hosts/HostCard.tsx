import { Trash2 } from 'lucide-react';
import type { Host } from '#core/plan/schema/hosts.ts';
import { useAction } from '../app/backend.ts';
import { HostTest } from '../app/machines/HostTest.tsx';
import { OpenChanges } from '../app/machines/RevertChange.tsx';
import { notify } from '../app/notices.tsx';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { Stack } from '../components/Page.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { words } from '../words/words.ts';
import styles from './Hosts.module.css';

/** One host: where it is, whether it answers, and what it has to be told or asked before it does. */
export function HostCard({ host }: { readonly host: Host }) {
  const remove = useAction('hosts.remove', ['hosts.list']);
  const add = useAction('hosts.add', ['hosts.list']);
  const say = words.hosts;
  const { name } = host;
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
        <OpenChanges host={name} />
        <HostTest name={name} />
      </Stack>
    </Card>
  );
}

function wayTo({ address, user, port, jump, keyPath }: Host): string {
  const say = words.hosts.form;
  const place = `${user === null ? '' : `${user}@`}${address}${port === null ? '' : `:${port}`}`;
  const parts = [place, jump === null ? '' : `${say.jump}: ${jump}`, keyPath === null ? '' : `${say.keyPath}: ${keyPath}`];
  return parts.filter(Boolean).join(' · ');
}
