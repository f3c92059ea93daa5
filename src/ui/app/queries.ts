import { QueryClient } from '@tanstack/react-query';
import { toProblem } from '#core/base/errors.ts';
import type { Connection } from '#ui/shared/connection.ts';

const RETRY_PAUSE_MS = 1_000;

/**
 * Creates the cache of backend responses. Calls are retried only after a lost connection, which the app's banner reports. After
 * reconnecting, all data on screen is fetched again.
 */
export function newQueries(connection: Connection): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (_count, thrown) => toProblem(thrown).code === 'GONE',
        retryDelay: RETRY_PAUSE_MS,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  connection.subscribe(() => {
    if (connection.state === 'open') void queries.invalidateQueries();
  });
  return queries;
}
