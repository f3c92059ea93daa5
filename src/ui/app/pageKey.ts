import { z } from 'zod';
import type { Connection } from './connection.ts';
import { STORED } from './stored.ts';
import { takeToken, tokenIn, type TokenPlaces } from './token.ts';

const CHANNEL = 'holdfast.token';

/** What the pages of one Holdfast in one browser tell each other. No other port of this computer hears it. */
const messageSchema = z.union([z.strictObject({ wanted: z.literal(true) }), z.strictObject({ token: z.string().regex(/^[\w-]{1,200}$/) })]);
type Message = z.infer<typeof messageSchema>;

/** The parts of a window that bring a token, now or later. */
export interface KeyPlaces extends TokenPlaces {
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

/** The key that this page was opened with, or that it has kept. */
export function takeKey(page: KeyPlaces): PageKey {
  let token = takeToken(page);
  const channel = new BroadcastChannel(CHANNEL);
  const say = (message: Message): void => channel.postMessage(message);
  const keep = (given: string): void => {
    token = given;
    page.sessionStorage.setItem(STORED.token, given);
  };

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
        const pasted = tokenIn(page.location.hash);
        if (pasted === undefined) return;
        page.history.replaceState(null, '', oldURL);
        offer(pasted);
      });
    },
  };
}
