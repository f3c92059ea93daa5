import type { CallInput, CallName, CallOutput, StreamInput, StreamItem, StreamName } from '#contract/api.ts';
import type { Port } from '#contract/rpc/port.ts';
import { createClient, type Client, type StreamListener } from '#contract/rpc/client.ts';

/** A connection to a backend that may refuse this page. */
export interface BackendPort extends Port {
  /** Whether the backend has refused this page. Set once the port has closed. */
  readonly isRefused?: boolean;
}

/** Opens a new connection to the backend. */
export type Dial = () => BackendPort;

/**
 * `connecting`: until the first response. `lost`: from when a connection was closed until the next response. `refused`: the backend rejects
 * this page and has never accepted it.
 */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Connection {
  readonly state: ConnectionState;
  /** Calls the listener after each change of `state`. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>;
  open<N extends StreamName>(name: N, input: StreamInput<N>, listener: StreamListener<StreamItem<N>>): () => void;
  /** Reconnects now instead of after the pause. */
  retryNow(): void;
  close(): void;
}

export interface Clock {
  after(milliseconds: number, act: () => void): () => void;
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;
/** Maximum time to wait for the first response on a new connection. After that, the connection is closed. */
const RESPONSE_TIMEOUT_MS = 10_000;

/**
 * Maintains one connection to the backend, and reconnects with pauses that double. A connection is open after the first response from the
 * backend, not when the transport is open. Calls while the connection is lost reject with `GONE`. After a refusal, only `retryNow`
 * reconnects.
 */
export function connect(dial: Dial, clock: Clock): Connection {
  let state: ConnectionState = 'connecting';
  let client: Client;
  let failures = 0;
  let abandonAttempt: () => void = () => {};
  let isClosed = false;
  let wasOpen = false;
  const listeners = new Set<() => void>();

  const setState = (next: ConnectionState): void => {
    if (state === next) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const connectOnce = (): void => {
    abandonAttempt();
    const port = dial();
    let over = false;
    let cancelTimer = clock.after(RESPONSE_TIMEOUT_MS, () => port.close());
    abandonAttempt = () => {
      over = true;
      cancelTimer();
      port.close();
    };
    port.onClose(() => {
      if (over || isClosed) return;
      over = true;
      cancelTimer();
      // The connection is not retried automatically, because the backend would refuse the same token again.
      if (port.isRefused === true) return setState(wasOpen ? 'lost' : 'refused');
      failures += 1;
      // If the first attempt fails, that is not reported, because the backend may still be starting.
      if (state === 'open' || failures > 1) setState('lost');
      cancelTimer = clock.after(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS), connectOnce);
    });
    const onOpened = (): void => {
      if (over || isClosed) return;
      cancelTimer();
      failures = 0;
      wasOpen = true;
      setState('open');
    };
    client = createClient(port);
    void client.call('app.info', {}).then(onOpened, () => port.close());
  };
  connectOnce();

  return {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    call: (name, input) => client.call(name, input),
    open: (name, input, listener) => client.open(name, input, listener),
    retryNow() {
      if (state !== 'open' && !isClosed) connectOnce();
    },
    close() {
      isClosed = true;
      abandonAttempt();
    },
  };
}

export const browserClock: Clock = {
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};
