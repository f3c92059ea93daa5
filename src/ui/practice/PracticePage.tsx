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
  const practiceWords = words.practice;
  return (
    <Page title={practiceWords.title} story={practiceWords.story}>
      <Stack gap={16}>
        <Loaded query={servers} waitingFor={practiceWords.loading} heights={[160]} />
        {servers.data?.length === 0 ? (
          <EmptyState
            icon={<FlaskConical size={32} />}
            title={practiceWords.empty.title}
            action={<Button onPress={() => void servers.refetch()}>{practiceWords.empty.action}</Button>}
          >
            {practiceWords.empty.text}
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
