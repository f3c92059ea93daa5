import { FlaskConical } from 'lucide-react';
import { useCall } from '#ui/shared/backend.ts';
import { Button } from '../components/Button.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { EmptyState, Loaded } from '#ui/components/Placeholders.tsx';
import { words } from '../words/words.ts';
import { LabCard } from './LabCard.tsx';
import styles from './LabCard.module.css';

export function PracticePage() {
  const servers = useCall('lab.list', {});
  const say = words.practice;
  return (
    <Page title={say.title} story={say.story}>
      <Stack gap={16}>
        <Loaded query={servers} waitingFor={say.loading} heights={[160]} />
        {servers.data?.length === 0 ? (
          <EmptyState
            icon={<FlaskConical size={32} />}
            title={say.empty.title}
            action={<Button onPress={() => void servers.refetch()}>{say.empty.action}</Button>}
          >
            {say.empty.text}
          </EmptyState>
        ) : null}
        <div className={styles.servers}>
          {servers.data?.map((server) => (
            <LabCard key={server.name} server={server} onRefresh={() => void servers.refetch()} />
          ))}
        </div>
      </Stack>
    </Page>
  );
}
