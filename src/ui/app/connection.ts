import type { CallInput, CallName, CallOutput, StreamInput, StreamItem, StreamName } from '#contract/api.ts';
import { createClient, type Client, type StreamListener } from '#contract/rpc/client.ts';
import type { Dial } from './ports.ts';

/**
 * `connecting` until the first answer ever, `lost` from a closed connection until the next one answers, `refused` while a backend is
 * there that has never let this page in.
 */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Connection {
  readonly state: ConnectionState;
  /** Calls listeners after each change of `state`; returns how to stop. */
  subscribe(listener: () => void): () => void;
  call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>>;
  open<N extends StreamName>(name: N, input: StreamInput<N>, listener: StreamListener<StreamItem<N>>): () => void;
  /** Tries now instead of at the end of the pause. */
  retryNow(): void;
  close(): void;
}

export interface Clock {
  after(milliseconds: number, act: () => void): () => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A dialled connection that has not answered by then is given up. */
const ANSWER_LIMIT_MS = 10_000;

/**
 * Keeps one connection to the backend, dialling again with doubling pauses when it is lost. A connection counts as open when the
 * backend behind it has answered, not when the transport says so. Calls made while it is lost reject with `GONE`. One that refuses
 * this page is dialled again only when asked to.
 */
export function connect(dial: Dial, clock: Clock): Connection {
  let state: ConnectionState = 'connecting';
  let client: Client;
  let failures = 0;
  let abandon: () => void = () => {};
  let closed = false;
  let wasOpen = false;
  const listeners = new Set<() => void>();

  const become = (next: ConnectionState): void => {
    if (state === next) return;
    state = next;
    for (const listener of listeners) listener();
  };

  const attempt = (): void => {
    abandon();
    const port = dial();
    let over = false;
    let cancelTimer = clock.after(ANSWER_LIMIT_MS, () => port.close());
    abandon = () => {
      over = true;
      cancelTimer();
      port.close();
    };
    port.onClose(() => {
      if (over || closed) return;
      over = true;
      cancelTimer();
      // It would refuse the same token again: another one, or a person, has to come first.
      if (port.isRefused === true) return become(wasOpen ? 'lost' : 'refused');
      failures += 1;
      // The very first attempt may come a moment too early; that alone is no news.
      if (state === 'open' || failures > 1) become('lost');
      cancelTimer = clock.after(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS), attempt);
    });
    const opened = (): void => {
      if (over || closed) return;
      cancelTimer();
      failures = 0;
      wasOpen = true;
      become('open');
    };
    client = createClient(port);
    void client.call('app.info', {}).then(opened, () => port.close());
  };
  attempt();

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
      if (state !== 'open' && !closed) attempt();
    },
    close() {
      closed = true;
      abandon();
    },
  };
}

export const browserClock: Clock = {
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};
