import { Redirect } from 'wouter';
import { Page } from '../components/Page.tsx';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { words } from '../words/words.ts';
import { useConnectionState, useStream } from './backend.ts';

/** Where a newly opened window goes: to the run that is going, if there is exactly one, else to a new test. */
export function StartPage() {
  const active = useStream('runs.active', {}).value?.runs;
  const connection = useConnectionState();
  if (active) {
    const [only, ...others] = active;
    return <Redirect to={only && others.length === 0 ? `/runs/${only.id}` : '/new'} replace />;
  }
  if (connection === 'lost') return <Redirect to="/new" replace />;
  return (
    <Page title={words.common.product}>
      <Skeleton waitingFor={words.app.connecting}>
        <Block height={240} />
      </Skeleton>
    </Page>
  );
}
