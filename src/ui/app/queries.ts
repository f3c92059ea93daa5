import { QueryClient } from '@tanstack/react-query';
import { problemOf } from '#core/base/errors.ts';
import type { Connection } from './connection.ts';

const RETRY_PAUSE_MS = 1_000;

/**
 * Answers of the backend by input. Only a lost connection is retried (the page keeps waiting, one banner says why); when it comes
 * back, everything shown is asked again.
 */
export function newQueries(connection: Connection): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (_count, thrown) => problemOf(thrown).code === 'GONE',
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
