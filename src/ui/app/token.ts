import { STORED } from '#ui/shared/stored.ts';

const TOKEN_FRAGMENT = /^#token=([\w-]{1,200})$/;

/** Returns the token in an address fragment; undefined if there is none. */
export function tokenIn(hash: string): string | undefined {
  return TOKEN_FRAGMENT.exec(hash)?.[1];
}

/** Parts of a window in which a token arrives and is stored. */
export interface TokenWindow {
  readonly location: Pick<Location, 'hash' | 'pathname'>;
  readonly history: Pick<History, 'replaceState'>;
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
}

/**
 * Moves the token from the address, where screenshots and the history would show it, to the session storage. The session storage survives a
 * reload, but not the end of the browser. Returns the stored token.
 */
export function takeToken({ location, history, sessionStorage }: TokenWindow): string | null {
  const token = tokenIn(location.hash);
  if (token === undefined) return sessionStorage.getItem(STORED.token);
  sessionStorage.setItem(STORED.token, token);
  history.replaceState(null, '', location.pathname);
  return token;
}
