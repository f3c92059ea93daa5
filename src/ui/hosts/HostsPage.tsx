import { Plus, Server } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../app/backend.ts';
import { Button } from '../components/Button.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { words } from '../words/words.ts';
import { HostCard } from './HostCard.tsx';
import { HostForm } from './HostForm.tsx';

/** The machines that loads can be run from. */
export function HostsPage() {
  const hosts = useCall('hosts.list', {});
  const [isAdding, setAdding] = useState(false);
  const say = words.hosts;
  const add = (
    <Button look="primary" icon={<Plus />} onPress={() => setAdding(true)}>
      {say.add}
    </Button>
  );
  const hasHosts = hosts.data !== undefined && hosts.data.length > 0;
  return (
    <Page title={say.title} story={say.story} actions={hasHosts && !isAdding ? add : null}>
      <Stack gap={16}>
        {hosts.error ? <ProblemBanner problem={hosts.error} onRetry={() => void hosts.refetch()} /> : null}
        {hosts.isPending ? (
          <Skeleton waitingFor={say.loading}>
            <Block height={120} />
          </Skeleton>
        ) : null}
        {isAdding ? <HostForm onDone={() => setAdding(false)} /> : null}
        {hosts.data?.length === 0 && !isAdding ? (
          <EmptyState icon={<Server size={32} />} title={say.empty.title} action={add}>
            {say.empty.text}
          </EmptyState>
        ) : null}
        {hosts.data?.map((host) => (
          <HostCard key={host.name} host={host} />
        ))}
      </Stack>
    </Page>
  );
}
