import {
  keepPreviousData,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { createContext, useContext, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { CallInput, CallName, CallOutput, StreamInput, StreamItem, StreamName } from '#contract/api.ts';
import { HoldfastError, type Problem } from '#core/base/errors.ts';
import type { Connection, ConnectionState } from './connection.ts';

export const ConnectionContext = createContext<Connection | null>(null);

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (!connection) throw new Error('ConnectionContext is missing above this component');
  return connection;
}

export function useConnectionState(): ConnectionState {
  const connection = useConnection();
  return useSyncExternalStore(
    (listener) => connection.subscribe(listener),
    () => connection.state,
    () => connection.state,
  );
}

interface CallOptions {
  /** Whether the backend is called; default: true. */
  readonly enabled?: boolean;
  /** Whether the data for the previous input is kept until new data arrives. `isPlaceholderData` is true until then. */
  readonly keepPrevious?: boolean;
  /** Time in ms for which data is reused without a new call. */
  readonly freshForMs?: number;
}

export const callKey = <N extends CallName>(name: N, input?: CallInput<N>): readonly unknown[] =>
  input === undefined ? [name] : [name, input];

/** Calls the backend, and caches the response by the call's input. After a reconnect, the backend is called again. */
export function useCall<N extends CallName>(
  name: N,
  input: CallInput<N>,
  { enabled = true, keepPrevious = false, freshForMs = 0 }: CallOptions = {},
): UseQueryResult<CallOutput<N>, HoldfastError> {
  const connection = useConnection();
  return useQuery<CallOutput<N>, HoldfastError>({
    queryKey: callKey(name, input),
    queryFn: () => connection.call(name, input),
    enabled,
    staleTime: freshForMs,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Works like {@link useCall}, for several inputs. */
export function useCalls<N extends CallName>(name: N, inputs: readonly CallInput<N>[]): UseQueryResult<CallOutput<N>, HoldfastError>[] {
  const connection = useConnection();
  return useQueries({
    queries: inputs.map((input): UseQueryOptions<CallOutput<N>, HoldfastError> => ({
      queryKey: callKey(name, input),
      queryFn: () => connection.call(name, input),
    })),
  });
}

/**
 * Fetches calls again. The response to a fetch that began earlier is ignored, because it may be out of date. TanStack Query ignores it only
 * if the query has data, so a failed query that is being fetched would keep its old error.
 */
export async function refreshCalls(queries: QueryClient, names: readonly CallName[]): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const queryKey = callKey(name);
      await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
      await queries.invalidateQueries({ queryKey });
    }),
  );
}

/** Returns a mutation. After it, the calls named in `refreshes` are fetched again. */
export function useAction<N extends CallName>(
  name: N,
  refreshes: readonly CallName[] = [],
): UseMutationResult<CallOutput<N>, HoldfastError, CallInput<N>> {
  const connection = useConnection();
  const queries = useQueryClient();
  return useMutation<CallOutput<N>, HoldfastError, CallInput<N>>({
    mutationFn: (input) => connection.call(name, input),
    onSettled: () => refreshCalls(queries, refreshes),
  });
}

export type StreamState<S> =
  | { readonly status: 'opening'; readonly value: S | undefined }
  | { readonly status: 'open'; readonly value: S }
  | { readonly status: 'ended'; readonly value: S | undefined; readonly problem: Problem | null };

/**
 * Subscribes to a stream of the backend. `reduce` computes the state from the previous state and an item; no item is skipped. For the first
 * item of each subscription, which is complete, the previous state is undefined. After a reconnect, subscribes again and keeps the last
 * value until then. Does not subscribe if `input` is null.
 */
export function useStreamState<N extends StreamName, S>(
  name: N,
  input: StreamInput<N> | null,
  reduce: (before: S | undefined, item: StreamItem<N>) => S,
): StreamState<S> {
  const connection = useConnection();
  const connected = useConnectionState() === 'open';
  const [state, setState] = useState<StreamState<S>>({ status: 'opening', value: undefined });
  const key = input === null ? null : JSON.stringify(input);
  const reduceNow = useEffectEvent(reduce);
  const inputNow = useEffectEvent(() => input);

  useEffect(() => {
    const openedStreamInput = inputNow();
    if (!connected || key === null || openedStreamInput === null) return;
    let value: S | undefined;
    let isLeft = false;
    const close = connection.open(name, openedStreamInput, {
      onItem(item) {
        if (isLeft) return;
        value = reduceNow(value, item);
        setState({ status: 'open', value });
      },
      onEnd(problem) {
        if (isLeft || problem?.code === 'GONE') return;
        setState((before) => ({ status: 'ended', value: before.value, problem: problem ?? null }));
      },
    });
    return () => {
      isLeft = true;
      close();
    };
  }, [connection, connected, name, key]);

  // The value for the previous input must not be shown for a new input, not even for one frame.
  const [shownKey, setShownKey] = useState(key);
  if (shownKey !== key) {
    setShownKey(key);
    setState({ status: 'opening', value: undefined });
    return { status: 'opening', value: undefined };
  }
  return state;
}

/** Returns the latest item of a stream; use {@link useStreamState} if items are differences. */
export function useStream<N extends StreamName>(name: N, input: StreamInput<N> | null): StreamState<StreamItem<N>> {
  return useStreamState<N, StreamItem<N>>(name, input, (_before, item) => item);
}
