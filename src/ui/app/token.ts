import { STORED } from './stored.ts';

const IN_ADDRESS = /^#token=([\w-]{1,200})$/;

/** The token in an address's fragment, if there is one. */
export function tokenIn(hash: string): string | undefined {
  return IN_ADDRESS.exec(hash)?.[1];
}

/** The parts of a window that a token comes by and is kept in. */
export interface TokenPlaces {
  readonly location: Pick<Location, 'hash' | 'pathname'>;
  readonly history: Pick<History, 'replaceState'>;
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
}

/**
 * Takes the token out of the address, where screenshots and the history would show it, and keeps it in the session storage: a
 * reload finds it there, and nothing remains of it when the browser ends. Returns the one that is kept.
 */
export function takeToken({ location, history, sessionStorage }: TokenPlaces): string | null {
  const given = tokenIn(location.hash);
  if (given === undefined) return sessionStorage.getItem(STORED.token);
  sessionStorage.setItem(STORED.token, given);
  history.replaceState(null, '', location.pathname);
  return given;
}
