import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { LivePage } from '../live/LivePage.tsx';
import { ResultPage } from '../results/ResultPage.tsx';
import { words } from '../words/words.ts';
import { callKey, useStream } from './backend.ts';

/** A run is one address: live while it goes, its result once it has ended; a reload finds it again in either state. */
export function RunPage({ runId }: { readonly runId: string }) {
  const active = useStream('runs.active', {});
  const queries = useQueryClient();
  const isActive = active.value?.runs.some((run) => run.id === runId);
  const [wasActive, setWasActive] = useState(false);
  if (isActive && !wasActive) setWasActive(true);

  useEffect(() => {
    if (isActive !== false || !wasActive) return;
    for (const name of ['runs.result', 'runs.points', 'runs.list'] as const) void queries.invalidateQueries({ queryKey: callKey(name) });
  }, [isActive, wasActive, queries]);

  if (isActive === undefined) {
    return (
      <Page title={words.app.run}>
        <Skeleton waitingFor={words.app.runState}>
          <Stack>
            <Block height={96} />
            <Block height={280} />
          </Stack>
        </Skeleton>
      </Page>
    );
  }
  return isActive ? <LivePage runId={runId} /> : <ResultPage runId={runId} />;
}
