import { QueryClient } from '@tanstack/react-query';
import type { Connection } from './connection.ts';

/** Answers of the backend by input. Nothing is retried blindly: when the connection comes back, everything shown is asked again. */
export function newQueries(connection: Connection): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', refetchOnWindowFocus: false, refetchOnReconnect: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  connection.subscribe(() => {
    if (connection.state === 'open') void queries.invalidateQueries();
  });
  return queries;
}
