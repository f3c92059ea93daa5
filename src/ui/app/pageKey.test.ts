import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Connection, ConnectionState } from '#ui/shared/connection.ts';
import { takeKey, type KeyWindow } from './pageKey.ts';

const OLD = 'a'.repeat(32);
const NEW = 'b'.repeat(32);

/** Creates a simulated browser tab with an address and session storage. */
function createTab(hash: string, stored?: string) {
  const storage = new Map(stored === undefined ? [] : [['holdfast.token', stored]]);
  const shownNames: string[] = [];
  let hashListener: (event: { readonly oldURL: string }) => void = () => {};
  const location = { hash, pathname: '/' };
  const page: KeyWindow = {
    location,
    history: { replaceState: (_data, _unused, url) => void shownNames.push(String(url)) },
    sessionStorage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => void storage.set(key, value) },
    addEventListener: (_name, listener) => (hashListener = listener),
  };
  const paste = (pasted: string): void => {
    location.hash = pasted;
    hashListener({ oldURL: 'http://127.0.0.1:1/#/history' });
  };
  return { page, shown: shownNames, paste, stored: () => storage.get('holdfast.token') };
}

/** Creates a connection whose state the test sets and that counts calls of retryNow. */
function fakeConnection() {
  const listeners = new Set<() => void>();
  const retried = { times: 0, next: Promise.withResolvers<void>() };
  let state: ConnectionState = 'connecting';
  const rejectCall = (): never => {
    throw new Error('nothing is asked of the backend here');
  };
  const connection: Connection = {
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    call: rejectCall,
    open: rejectCall,
    retryNow() {
      retried.times += 1;
      retried.next.resolve();
    },
    close: rejectCall,
  };
  const setState = (next: ConnectionState): void => {
    state = next;
    for (const listener of listeners) listener();
  };
  return { connection, become: setState, retried };
}

let otherChannel: BroadcastChannel;
beforeEach(() => {
  otherChannel = new BroadcastChannel('holdfast.token');
});
afterEach(() => otherChannel.close());

describe('the token of a page', () => {
  it('is removed from the address and stored for a reload', () => {
    const first = createTab(`#token=${OLD}`);
    expect(takeKey(first.page).token).toBe(OLD);
    expect([first.shown, first.stored()]).toEqual([['/'], OLD]);
    const reloaded = createTab('#/history', OLD);
    expect(takeKey(reloaded.page).token).toBe(OLD);
    expect(reloaded.shown).toEqual([]);
  });

  it('is null if the address has no valid token', () => {
    for (const hash of ['', '#/new', '#token=', '#token=<b>', `#token=${'x'.repeat(300)}`])
      expect(takeKey(createTab(hash).page).token).toBeNull();
  });

  it('is replaced by a token that is pasted into the address if the old one fails, without a change of screen', () => {
    const { page, paste, shown, stored } = createTab('#/history', OLD);
    const { connection, become, retried } = fakeConnection();
    const key = takeKey(page);
    key.follow(connection);
    become('lost');
    paste('#/new');
    expect([shown, retried.times]).toEqual([[], 0]);
    paste(`#token=${NEW}`);
    expect([key.token, stored(), shown, retried.times]).toEqual([NEW, NEW, ['http://127.0.0.1:1/#/history'], 1]);
  });

  it('is not replaced while the backend accepts it', () => {
    const { page, paste, shown } = createTab('#/history', OLD);
    const { connection, become, retried } = fakeConnection();
    const key = takeKey(page);
    key.follow(connection);
    become('open');
    paste(`#token=${NEW}`);
    expect([key.token, shown.length, retried.times]).toEqual([OLD, 1, 0]);
  });

  it('is sent to other pages once it was accepted, and on request', async () => {
    const { connection, become } = fakeConnection();
    const received: unknown[] = [];
    let next = Promise.withResolvers<void>();
    otherChannel.addEventListener('message', ({ data }) => {
      received.push(data);
      next.resolve();
    });
    takeKey(createTab(`#token=${OLD}`).page).follow(connection);
    become('open');
    await next.promise;
    next = Promise.withResolvers();
    otherChannel.postMessage({ wanted: true });
    await next.promise;
    expect(received).toEqual([{ token: OLD }, { token: OLD }]);
  });

  it('is taken from another page if this one is refused; other messages are ignored', async () => {
    const { connection, become, retried } = fakeConnection();
    const key = takeKey(createTab('').page);
    key.follow(connection);
    become('refused');
    for (const message of [null, 'token', { token: 1 }, { token: '' }, { token: NEW, more: 1 }, { token: '<b>' }])
      otherChannel.postMessage(message);
    otherChannel.postMessage({ token: NEW });
    await retried.next.promise;
    expect([key.token, retried.times]).toEqual([NEW, 1]);
  });
});
