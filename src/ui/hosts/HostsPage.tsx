import { LogIn, Pencil, Play, Plus, Server, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Host } from '#core/plan/schema/hosts.ts';
import { useAction, useCall } from '#ui/shared/backend.ts';
import { Button, LinkButton } from '../components/Button.tsx';
import { EmptyState, Loaded } from '#ui/components/Placeholders.tsx';
import { Page, Stack, Card } from '../components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { laterWords } from '#ui/words/laterWords.ts';
import { words } from '../words/words.ts';
import { HostConnection } from '#ui/shared/machines/HostConnection.tsx';
import { OpenChanges } from '#ui/shared/machines/RevertChange.tsx';
import { notify } from '#ui/shared/notices.tsx';
import { startWizard } from '#ui/shared/wizardSeed.ts';
import { HostForm } from './HostForm.tsx';
import { JoinPage } from './JoinPage.tsx';
import styles from './Hosts.module.css';

/** Card of a host with its address, the check of its connection, and the steps that are needed before the host can be used. */
function HostCard({ host }: { readonly host: Host }) {
  const remove = useAction('hosts.remove', ['hosts.list']);
  const add = useAction('hosts.add', ['hosts.list']);
  const hostsWords = laterWords.hosts;
  const { name } = host;
  const [isEdited, setEdited] = useState(false);
  const onRemoved = (): void => notify(hostsWords.removed(name), { label: words.app.undo, act: () => add.mutate({ host }) });
  if (isEdited) return <HostForm host={host} onDone={() => setEdited(false)} />;
  return (
    <Card
      title={name}
      actions={
        <>
          <Button look="quiet" size="small" icon={<Pencil />} aria-label={hostsWords.editNamed(name)} onPress={() => setEdited(true)} />
          <Button
            look="quiet"
            size="small"
            icon={<Trash2 />}
            aria-label={hostsWords.removeNamed(name)}
            isPending={remove.isPending}
            onPress={() => remove.mutate({ name }, { onSuccess: onRemoved })}
          />
        </>
      }
    >
      <Stack gap={16}>
        <p className={styles.way}>{routeText(host)}</p>
        {remove.error ? <ProblemBanner problem={remove.error} /> : null}
        <OpenChanges host={name} />
        <HostConnection name={name} />
      </Stack>
    </Card>
  );
}

function routeText({ address, user, port, jump, keyPath }: Host): string {
  const formWords = laterWords.hosts.form;
  const place = `${user === null ? '' : `${user}@`}${address}${port === null ? '' : `:${port}`}`;
  const parts = [place, jump === null ? '' : `${formWords.jump}: ${jump}`, keyPath === null ? '' : `${formWords.keyPath}: ${keyPath}`];
  return parts.filter(Boolean).join(' · ');
}

/** Page of the computers that can generate load, or its part on which this computer joins the run of another one. */
export function HostsPage({ part }: { readonly part: string | undefined }) {
  return part === 'join' ? <JoinPage /> : <HostList />;
}

function HostList() {
  const hosts = useCall('hosts.list', {});
  const [isAdding, setAdding] = useState(false);
  const hostsWords = laterWords.hosts;
  const add = (
    <Button look="primary" icon={<Plus />} onPress={() => setAdding(true)}>
      {hostsWords.add}
    </Button>
  );
  const names = hosts.data?.map(({ name }) => name) ?? [];
  const hasHosts = names.length > 0;
  return (
    <Page
      title={hostsWords.title}
      story={hostsWords.story}
      actions={
        <>
          <LinkButton to="/hosts/join" icon={<LogIn />}>
            {laterWords.join.open}
          </LinkButton>
          {hasHosts && !isAdding ? (
            <>
              <Button icon={<Play />} onPress={() => startWizard({ kind: 'hosts', names })}>
                {hostsWords.runFrom(names.length)}
              </Button>
              {add}
            </>
          ) : null}
        </>
      }
    >
      <Stack gap={16}>
        <Loaded query={hosts} waitingFor={hostsWords.loading} heights={[120]} />
        {isAdding ? <HostForm host={null} onDone={() => setAdding(false)} /> : null}
        {hosts.data?.length === 0 && !isAdding ? (
          <EmptyState icon={<Server size={32} />} title={hostsWords.empty.title} action={add}>
            {hostsWords.empty.text}
          </EmptyState>
        ) : null}
        {hosts.data?.map((host) => (
          <HostCard key={host.name} host={host} />
        ))}
      </Stack>
    </Page>
  );
}
