import { Redirect } from 'wouter';
import { words } from '../words/words.ts';
import { useConnectionState, useStream } from './backend.ts';
import { PageSkeleton } from './PageSkeleton.tsx';

/** Where a newly opened window goes: to the run that is going, if there is exactly one, else to a new test. */
export function StartPage() {
  const active = useStream('runs.active', {}).value?.runs;
  const connection = useConnectionState();
  if (active) {
    const [only, ...others] = active;
    return <Redirect to={only && others.length === 0 ? `/runs/${only.id}` : '/new'} replace />;
  }
  if (connection === 'lost') return <Redirect to="/new" replace />;
  return <PageSkeleton waitingFor={words.app.connecting} />;
}
