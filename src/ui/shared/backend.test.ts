import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { callKey, refreshCalls } from './backend.ts';

it('refreshCalls ignores the error of a fetch that began earlier', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const fetches: PromiseWithResolvers<string>[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: callKey('hosts.list'),
    queryFn: () => {
      const fetch = Promise.withResolvers<string>();
      fetches.push(fetch);
      return fetch.promise;
    },
  });
  const unsubscribe = observer.subscribe(() => {});
  const untrusted = new Error('The key of the host is unknown.');
  fetches[0]?.reject(untrusted);
  await expect.poll(() => observer.getCurrentResult().error).toBe(untrusted);

  const earlier = observer.refetch();
  const refreshed = refreshCalls(queries, ['hosts.list']);
  await expect.poll(() => fetches.length).toBe(3);
  fetches[2]?.resolve('trusted');
  fetches[1]?.reject(untrusted);
  await Promise.all([earlier, refreshed]);
  expect(observer.getCurrentResult()).toMatchObject({ data: 'trusted', error: null });
  unsubscribe();
});
