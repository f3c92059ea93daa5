import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import { isText } from './recordedEntry.ts';

/** What the DevTools protocol says of a request beside Playwright: with what Playwright says it has method, address and time in common. */
export interface Told {
  readonly method: string;
  readonly url: string;
  /** Since 1970. */
  readonly atMs: number;
  /** What was sent, where the browser says it only when it is asked: forms with files. */
  readonly sent: Promise<Buffer | null> | null;
  body: Promise<Buffer | null> | null;
}

/** A server wants a login by HTTP. */
export interface Challenge {
  readonly url: string;
  readonly scheme: string;
  /** The credentials of this request were refused already. */
  readonly isRepeated: boolean;
}

export interface DevtoolsEvents {
  onRequest(told: Told): void;
  /** An event of the event stream at this address has come. */
  onEvent(url: string): void;
  /** What a WebSocket was opened with. */
  onHandshake(url: string, headers: { name: string; value: string }[]): void;
  /** Gives the credentials, or null where there are none: the request then ends with what the server says without them. */
  onChallenge(challenge: Challenge): { readonly username: string; readonly password: string } | null;
}

/** Responses are kept beyond their page: one that leads on at once would take along what it was sent. Otherwise 9 of 10 such responses are gone when they are asked for. */
const KEPT = { enableDurableMessages: true, maxTotalBufferSize: 100_000_000, maxResourceBufferSize: 20_000_000 };

/**
 * Watches what Playwright says nothing of, and switches the cache off. Frames of other sites are processes of their own: each has a connection of its
 * own, which only those can be given. What is closed meanwhile is not watched.
 */
export async function watchByDevtools(context: BrowserContext, place: Page | Frame, events: DevtoolsEvents): Promise<void> {
  const session = await context.newCDPSession(place);
  watchStreams(session, events);
  const paused = pauseDocuments(session, events);
  watchBodies(session, events, paused);
  await session.send('Network.enable', KEPT).catch(() => session.send('Network.enable'));
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const documents = [{ urlPattern: '*', resourceType: 'Document' as const, requestStage: 'Request' as const }];
  await session.send('Fetch.enable', { handleAuthRequests: true, patterns: documents });
}

function watchStreams(session: CDPSession, { onEvent, onHandshake }: DevtoolsEvents): void {
  const urls = new Map<string, string>();
  session.on('Network.requestWillBeSent', ({ requestId, type, request }) => {
    if (type === 'EventSource') urls.set(requestId, request.url);
  });
  session.on('Network.eventSourceMessageReceived', ({ requestId }) => {
    const url = urls.get(requestId);
    if (url !== undefined) onEvent(url);
  });
  session.on('Network.webSocketCreated', ({ requestId, url }) => void urls.set(requestId, url));
  session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, request }) => {
    const url = urls.get(requestId);
    const headers = Object.entries(request.headers).map(([name, value]) => ({ name, value: String(value) }));
    if (url !== undefined) onHandshake(url, headers);
  });
}

function watchBodies(session: CDPSession, { onRequest }: DevtoolsEvents, paused: ReadonlyMap<string, Buffer>): void {
  const going = new Map<string, { readonly told: Told; settle: (body: Promise<Buffer | null> | null) => void; type: string }>();
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) => {
    going.get(requestId)?.settle(null);
    const ask = (): Promise<Buffer | null> =>
      session.send('Network.getRequestPostData', { requestId }).then(
        ({ postData, base64Encoded }) => Buffer.from(postData, base64Encoded === true ? 'base64' : 'utf8'),
        () => null,
      );
    const isUnsaid = request.hasPostData === true && request.postData === undefined;
    // What a document is asked for with is known where that was paused, everything else where it is asked.
    const sent = isUnsaid ? ask().then((bytes) => bytes ?? paused.get(requestId) ?? null) : null;
    const { promise, resolve } = Promise.withResolvers<Buffer | null>();
    const told: Told = { method: request.method, url: request.url, atMs: wallTime * 1_000, sent, body: promise };
    going.set(requestId, { told, type: '', settle: (body) => resolve(body) });
    onRequest(told);
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const one = going.get(requestId);
    if (one !== undefined) one.type = response.mimeType;
  });
  session.on('Network.loadingFinished', ({ requestId }) => {
    const one = going.get(requestId);
    going.delete(requestId);
    if (one === undefined) return;
    one.settle(
      isText(one.type)
        ? session.send('Network.getResponseBody', { requestId }).then(
            ({ body, base64Encoded }) => Buffer.from(body, base64Encoded ? 'base64' : 'utf8'),
            () => null,
          )
        : null,
    );
  });
  session.on('Network.loadingFailed', ({ requestId }) => {
    going.get(requestId)?.settle(null);
    going.delete(requestId);
  });
}

/**
 * Answers servers that want a login by HTTP: the browser’s own dialog would keep to itself what is entered there. Returns what documents are asked for
 * with, by their requests; of the contents of files, it has none.
 */
function pauseDocuments(session: CDPSession, { onChallenge }: DevtoolsEvents): ReadonlyMap<string, Buffer> {
  const asked = new Set<string>();
  const sent = new Map<string, Buffer>();
  session.on('Fetch.requestPaused', ({ requestId, networkId, request }) => {
    const parts = (request.postDataEntries ?? []).flatMap(({ bytes }) => (bytes === undefined ? [] : [Buffer.from(bytes, 'base64')]));
    if (networkId !== undefined && parts.length > 0) sent.set(networkId, Buffer.concat(parts));
    void session.send('Fetch.continueRequest', { requestId }).catch(() => {});
  });
  session.on('Fetch.authRequired', ({ requestId, request, authChallenge }) => {
    const credentials =
      authChallenge.source === 'Proxy'
        ? null
        : onChallenge({ url: request.url, scheme: authChallenge.scheme.toLowerCase(), isRepeated: asked.has(requestId) });
    asked.add(requestId);
    const authChallengeResponse =
      authChallenge.source === 'Proxy'
        ? { response: 'Default' as const }
        : credentials === null
          ? { response: 'CancelAuth' as const }
          : { response: 'ProvideCredentials' as const, ...credentials };
    void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {});
  });
  return sent;
}
