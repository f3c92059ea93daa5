import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { helloSchema, REFUSED_CODE, WELCOME } from '#contract/rpc/frames.ts';

/** Returns a random secret that is safe in a URL. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Returns whether two secrets are equal. The comparison takes constant time. */
export function isSameSecret(givenText: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(givenText), digest(wanted));
}

/**
 * Returns the only origin under which the page is served. With a single origin, there is only one storage, and only one name to compare
 * with Host and Origin.
 */
export function ownOrigin(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * Returns whether a request's Host is this server's own name. A web page can make its own name resolve to 127.0.0.1 (DNS rebinding), and
 * the browser then lets the page read the responses. But the Host header still contains that page's name.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}`;
}

/**
 * Returns whether Host is `localhost`, the other name that people enter. Such requests are redirected to {@link ownOrigin}, because
 * browsers treat the name as another origin.
 */
export function isOtherNameOfOurs(host: string | undefined, port: number): boolean {
  return host === `localhost:${port}`;
}

/**
 * Returns whether Holdfast's own page opened a WebSocket. Browsers let any page open a WebSocket to anywhere, and report the page only in
 * Origin.
 */
export function isOurOrigin(origin: string | undefined, port: number): boolean {
  return origin === ownOrigin(port);
}

/** Maximum size of a hello message in bytes: several times what a hello needs. */
const maxHelloBytes = 1_000;
const helloLimitMs = 5_000;
/** Maximum number of waiting sockets. A browser that restores its tabs opens all of them at once. */
const maxWaiting = 32;

/** Calls `letIn` once a WebSocket has sent the token in its first frame; otherwise closes the WebSocket. */
export type Admit = (socket: WebSocket, connection: Duplex, letIn: () => void) => void;

/**
 * Creates the function that admits WebSockets that send `token`. Each has one attempt, with at most a kilobyte and five seconds. If 32 are
 * waiting, the one that has waited longest is closed, so that connections held open cannot keep others out.
 */
export function createAdmission(token: string): Admit {
  const waiting = new Set<WebSocket>();
  return (socket, connection, letIn) => {
    const [longestWaiting] = waiting;
    if (waiting.size >= maxWaiting) longestWaiting?.terminate();
    waiting.add(socket);

    let bytes = 0;
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      // If the socket is no longer waiting, its hello was valid and the further bytes are data.
      if (bytes > maxHelloBytes && waiting.has(socket)) socket.terminate();
    };
    // The bytes are counted on the socket, because the frame size limit of a WebSocket cannot be changed later.
    connection.on('data', count);
    // This also ends connections that were rejected but do not close.
    const timer = setTimeout(() => socket.terminate(), helloLimitMs);
    const stopWaiting = (): void => {
      waiting.delete(socket);
      clearTimeout(timer);
      connection.off('data', count);
    };
    socket.once('close', stopWaiting);

    socket.once('message', (data, isBinary) => {
      if (isBinary || !hasToken(String(data), token)) return socket.close(REFUSED_CODE, 'not the token of this start');
      socket.off('close', stopWaiting);
      stopWaiting();
      socket.send(WELCOME);
      letIn();
    });
  };
}

function hasToken(frame: string, token: string): boolean {
  try {
    return isSameSecret(helloSchema.parse(JSON.parse(frame)).token, token);
  } catch {
    return false;
  }
}
