import { z } from 'zod';
import type { Connection } from '#ui/shared/connection.ts';
import { STORED } from '#ui/shared/stored.ts';
import { takeToken, tokenIn, type TokenPlaces } from './token.ts';

const CHANNEL = 'holdfast.token';

/** Messages between pages of the same origin. Pages of other ports cannot receive them. */
const messageSchema = z.union([z.strictObject({ wanted: z.literal(true) }), z.strictObject({ token: z.string().regex(/^[\w-]{1,200}$/) })]);
type Message = z.infer<typeof messageSchema>;

/** Parts of a window that can provide a token, now or later. */
export interface KeyPlaces extends TokenPlaces {
  addEventListener(name: 'hashchange', listener: (event: { readonly oldURL: string }) => void): void;
}

/** Access of this page to the backend of web mode. */
interface PageKey {
  /** null: the page was opened without a token. */
  readonly token: string | null;
  /** Asks other open pages of this browser for a valid token. */
  askOthers(): void;
  /** Sends an accepted token to other pages, and reconnects with a token that arrives while this page is refused. */
  follow(connection: Connection): void;
}

/** Reads the token from the address or the session storage. */
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
        const received = messageSchema.safeParse(data).data;
        if (!received) return;
        if ('token' in received) {
          if (received.token !== token) offer(received.token);
        } else if (connection.state === 'open' && token !== null) say({ token });
      });
      // Opening an address with a token in this tab changes only the fragment, so the browser does not reload the page.
      page.addEventListener('hashchange', ({ oldURL }) => {
        const pasted = tokenIn(page.location.hash);
        if (pasted === undefined) return;
        page.history.replaceState(null, '', oldURL);
        offer(pasted);
      });
    },
  };
}
