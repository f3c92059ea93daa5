import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { helloSchema, REFUSED_CODE, WELCOME } from '#contract/rpc/frames.ts';

/** A secret that cannot be guessed, fit for a URL. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Whether two secrets are equal, in a time that tells nothing about where they differ. */
export function sameSecret(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

/** The one origin of the page: one set of storage, and one name that Host and Origin are compared with. */
export function ourOrigin(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/**
 * Whether a request's Host is our own name. A page on the internet can let its own name point to 127.0.0.1 (DNS rebinding), and
 * the browser then lets it read our answers; its name in Host gives it away.
 */
export function isOurHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}`;
}

/** The other name that people type. It is sent on to {@link ourOrigin}: to browsers it is an origin of its own. */
export function isOtherNameOfOurs(host: string | undefined, port: number): boolean {
  return host === `localhost:${port}`;
}

/** Whether a WebSocket is opened by our own page: browsers let any page open one to anywhere, and say so only in Origin. */
export function isOurOrigin(origin: string | undefined, port: number): boolean {
  return origin === ourOrigin(port);
}

/** Several times what a hello takes. */
const maxHelloBytes = 1_000;
const helloLimitMs = 5_000;
/** A browser that restores its tabs opens them all at once. */
const maxWaiting = 32;

/** Calls `letIn` once a WebSocket has shown the token in its first frame; else it is closed. */
export type Admit = (socket: WebSocket, connection: Duplex, letIn: () => void) => void;

/**
 * Lets in WebSockets that show `token`. Each has one try. Until it has shown the token it may send a kilobyte and take five seconds, and
 * when 32 are waiting, the one that waits longest makes room: whoever holds them open cannot keep the next one out.
 */
export function admission(token: string): Admit {
  const waiting = new Set<WebSocket>();
  return (socket, connection, letIn) => {
    const [longestWaiting] = waiting;
    if (waiting.size >= maxWaiting) longestWaiting?.terminate();
    waiting.add(socket);

    let bytes = 0;
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      // More may have come along with a hello that was right.
      if (bytes > maxHelloBytes && waiting.has(socket)) socket.terminate();
    };
    // Counted below the WebSocket: what it was told of the largest frame holds for its whole life.
    connection.on('data', count);
    // Ends those too that were refused and do not take their leave.
    const timer = setTimeout(() => socket.terminate(), helloLimitMs);
    const stopWaiting = (): void => {
      waiting.delete(socket);
      clearTimeout(timer);
      connection.off('data', count);
    };
    socket.once('close', stopWaiting);

    socket.once('message', (data, isBinary) => {
      if (isBinary || !showsToken(String(data), token)) return socket.close(REFUSED_CODE, 'not the token of this start');
      socket.off('close', stopWaiting);
      stopWaiting();
      socket.send(WELCOME);
      letIn();
    });
  };
}

function showsToken(frame: string, token: string): boolean {
  try {
    return sameSecret(helloSchema.parse(JSON.parse(frame)).token, token);
  } catch {
    return false;
  }
}
