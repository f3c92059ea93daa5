import { z } from 'zod';
import type { Connection } from './connection.ts';

const KEY = 'holdfast.token';
const CHANNEL = 'holdfast.token';
const IN_ADDRESS = /^#token=([\w-]{1,200})$/;

/** What the pages of one Holdfast in one browser tell each other. No other port of this computer hears it. */
const messageSchema = z.union([z.strictObject({ wanted: z.literal(true) }), z.strictObject({ token: z.string().regex(/^[\w-]{1,200}$/) })]);
type Message = z.infer<typeof messageSchema>;

/** The parts of a window that hold a token. */
export interface TokenPlaces {
  readonly location: Pick<Location, 'hash' | 'pathname'>;
  readonly history: Pick<History, 'replaceState'>;
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
  addEventListener(name: 'hashchange', listener: (event: { readonly oldURL: string }) => void): void;
}

/** What lets this page in to the backend of web mode. */
export interface PageKey {
  /** Null: the page was opened without one. */
  readonly token: string | null;
  /** Asks the other open pages of this browser for the token that the backend takes. */
  askOthers(): void;
  /** Hands a token that was accepted on to other pages, and dials again with one that turns up while the page is not let in. */
  follow(connection: Connection): void;
}

/**
 * Takes the token out of the address, where screenshots and the history would show it, and keeps it in the session storage: a
 * reload finds it there, and nothing remains of it when the browser ends.
 */
export function takeKey(page: TokenPlaces): PageKey {
  let token = page.sessionStorage.getItem(KEY);
  const channel = new BroadcastChannel(CHANNEL);
  const say = (message: Message): void => channel.postMessage(message);
  const keep = (given: string): void => {
    token = given;
    page.sessionStorage.setItem(KEY, given);
  };

  const given = IN_ADDRESS.exec(page.location.hash)?.[1];
  if (given !== undefined) {
    keep(given);
    page.history.replaceState(null, '', page.location.pathname);
  }

  return {
    get token() {
      return token;
    },
    askOthers: () => say({ wanted: true }),
    follow(connection) {
      const offer = (offered: string): void => {
        if (connection.state === 'open') return;
        keep(offered);
        connection.retryNow();
      };
      connection.subscribe(() => {
        if (connection.state === 'open' && token !== null) say({ token });
      });
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const heard = messageSchema.safeParse(data).data;
        if (!heard) return;
        if ('token' in heard) {
          if (heard.token !== token) offer(heard.token);
        } else if (connection.state === 'open' && token !== null) say({ token });
      });
      // An address with a token that is opened in a tab with this page changes its fragment only: the browser loads nothing.
      page.addEventListener('hashchange', ({ oldURL }) => {
        const pasted = IN_ADDRESS.exec(page.location.hash)?.[1];
        if (pasted === undefined) return;
        page.history.replaceState(null, '', oldURL);
        offer(pasted);
      });
    },
  };
}
