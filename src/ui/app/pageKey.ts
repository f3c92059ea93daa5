import { z } from 'zod';
import type { Connection } from '#ui/shared/connection.ts';
import { STORED } from '#ui/shared/stored.ts';
import { takeToken, tokenIn, type TokenWindow } from './token.ts';

const CHANNEL = 'holdfast.token';

/** Messages between pages of the same origin. Pages of other ports cannot receive them. */
const messageSchema = z.union([z.strictObject({ wanted: z.literal(true) }), z.strictObject({ token: z.string().regex(/^[\w-]{1,200}$/) })]);
type Message = z.infer<typeof messageSchema>;

/** Parts of a window from which a token can be read, now or later. */
export interface KeyWindow extends TokenWindow {
  addEventListener(name: 'hashchange', listener: (event: { readonly oldURL: string }) => void): void;
}

/** Gives this page access to the backend of web mode. */
interface PageKey {
  /** The token; null if the page was opened without one. */
  readonly token: string | null;
  /** Asks other open pages in this browser for a valid token. */
  askOthers(): void;
  /** Sends an accepted token to other pages. If this page was refused, reconnects as soon as a token arrives. */
  follow(connection: Connection): void;
}

/** Reads the token from the address or from the session storage. */
export function takeKey(page: KeyWindow): PageKey {
  let token = takeToken(page);
  const channel = new BroadcastChannel(CHANNEL);
  const broadcast = (message: Message): void => channel.postMessage(message);
  const storeToken = (givenText: string): void => {
    token = givenText;
    page.sessionStorage.setItem(STORED.token, givenText);
  };

  return {
    get token() {
      return token;
    },
    askOthers: () => broadcast({ wanted: true }),
    follow(connection) {
      const offerToken = (offered: string): void => {
        if (connection.state === 'open') return;
        storeToken(offered);
        connection.retryNow();
      };
      connection.subscribe(() => {
        if (connection.state === 'open' && token !== null) broadcast({ token });
      });
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const received = messageSchema.safeParse(data).data;
        if (!received) return;
        if ('token' in received) {
          if (received.token !== token) offerToken(received.token);
        } else if (connection.state === 'open' && token !== null) broadcast({ token });
      });
      // If an address with a token is opened in this tab, only the fragment changes, which does not reload the page.
      page.addEventListener('hashchange', ({ oldURL }) => {
        const pasted = tokenIn(page.location.hash);
        if (pasted === undefined) return;
        page.history.replaceState(null, '', oldURL);
        offerToken(pasted);
      });
    },
  };
}
