import type { BrowserContext, CDPSession, Frame, Page } from 'playwright-core';
import { isTextType } from './recordedEntry.ts';

/** What DevTools reports about a request and Playwright does not. Method, address and time identify Playwright's request. */
export interface Reported {
  readonly method: string;
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** The body of a form with files, which DevTools returns only on request; null if the body was reported directly. */
  readonly sent: Promise<Buffer | null> | null;
  body: Promise<Buffer | null> | null;
}

/** A server's request for an HTTP login. */
export interface Challenge {
  readonly url: string;
  readonly scheme: string;
  /** Whether credentials for this request were already refused. */
  readonly isRepeated: boolean;
}

export interface DevtoolsEvents {
  onRequest(report: Reported): void;
  /** Called when an event of the event stream at this address has arrived. */
  onEvent(url: string): void;
  /** Called with the request headers of a WebSocket. */
  onHandshake(url: string, headers: { name: string; value: string }[]): void;
  /** Called when a server asks for an HTTP login. Returns the credentials, or null to let the request fail with the server's refusal. */
  onChallenge(challenge: Challenge): { readonly username: string; readonly password: string } | null;
}

/**
 * Settings that keep response bodies after a navigation. Otherwise 90 % of the responses of pages that redirect at once are lost before
 * they are read.
 */
const NETWORK_BUFFERS = { enableDurableMessages: true, maxTotalBufferSize: 100_000_000, maxResourceBufferSize: 20_000_000 };

/**
 * Observes what Playwright does not report, and disables the cache. Frames of other sites are separate processes with separate sessions.
 * Targets that close in the meantime are ignored.
 */
export async function watchByDevtools(context: BrowserContext, place: Page | Frame, events: DevtoolsEvents): Promise<void> {
  const session = await context.newCDPSession(place);
  watchStreams(session, events);
  const paused = pauseDocuments(session, events);
  watchBodies(session, events, paused);
  await session.send('Network.enable', NETWORK_BUFFERS).catch(() => session.send('Network.enable'));
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
  const openRequests = new Map<
    string,
    { readonly reported: Reported; settle: (body: Promise<Buffer | null> | null) => void; type: string }
  >();
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) => {
    openRequests.get(requestId)?.settle(null);
    const ask = (): Promise<Buffer | null> =>
      session.send('Network.getRequestPostData', { requestId }).then(
        ({ postData, base64Encoded }) => Buffer.from(postData, base64Encoded === true ? 'base64' : 'utf8'),
        () => null,
      );
    const isBodyOmitted = request.hasPostData === true && request.postData === undefined;
    // The body of a document request is known while the request is paused. Other bodies are requested from DevTools.
    const sent = isBodyOmitted ? ask().then((bytes) => bytes ?? paused.get(requestId) ?? null) : null;
    const { promise, resolve } = Promise.withResolvers<Buffer | null>();
    const report: Reported = { method: request.method, url: request.url, atMs: wallTime * 1_000, sent, body: promise };
    openRequests.set(requestId, { reported: report, type: '', settle: (body) => resolve(body) });
    onRequest(report);
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const one = openRequests.get(requestId);
    if (one !== undefined) one.type = response.mimeType;
  });
  session.on('Network.loadingFinished', ({ requestId }) => {
    const one = openRequests.get(requestId);
    openRequests.delete(requestId);
    if (one === undefined) return;
    one.settle(
      isTextType(one.type)
        ? session.send('Network.getResponseBody', { requestId }).then(
            ({ body, base64Encoded }) => Buffer.from(body, base64Encoded ? 'base64' : 'utf8'),
            () => null,
          )
        : null,
    );
  });
  session.on('Network.loadingFailed', ({ requestId }) => {
    openRequests.get(requestId)?.settle(null);
    openRequests.delete(requestId);
  });
}

/**
 * Handles HTTP logins in place of the browser's dialog, whose input DevTools does not show. Returns the bodies of document requests by
 * request id, without file contents.
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
