import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { words } from '../words/words.ts';
import { callKey, useStream } from './backend.ts';
import { later } from './later.ts';
import { PageSkeleton } from './PageSkeleton.tsx';

const LivePage = lazy(later(async () => ({ default: (await import('../live/LivePage.tsx')).LivePage })));
const ResultPage = lazy(later(async () => ({ default: (await import('../results/ResultPage.tsx')).ResultPage })));

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

  const skeleton = <PageSkeleton title={words.app.run} waitingFor={words.app.runState} />;
  if (isActive === undefined) return skeleton;
  return <Suspense fallback={skeleton}>{isActive ? <LivePage runId={runId} /> : <ResultPage runId={runId} />}</Suspense>;
}
