import type { WebSocket } from 'ws';
import type { Port } from '#contract/rpc/port.ts';

/**
 * Maximum amount of data, in bytes, that the client has not read. Above it, the client's messages are not read until half of the data has
 * been sent.
 */
const maxUnreadBytes = 64_000_000;

/**
 * Wraps a WebSocket as a {@link Port}. Binary messages are not part of the protocol and close the WebSocket. Messages from a client that
 * does not read its responses are not read either, because the responses would fill the memory.
 */
export function webSocketPort(socket: WebSocket): Port {
  const resumeReading = (): void => {
    if (socket.isPaused && socket.bufferedAmount <= maxUnreadBytes / 2) socket.resume();
  };
  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(frame, resumeReading);
      if (socket.bufferedAmount > maxUnreadBytes) socket.pause();
    },
    onFrame(listener) {
      socket.on('message', (data, isBinary) => {
        if (isBinary) socket.close(1003, 'text only');
        else listener(String(data));
      });
    },
    onClose(listener) {
      socket.once('close', listener);
    },
    close: () => socket.close(1000),
    get unsentBytes() {
      return socket.bufferedAmount;
    },
  };
}

/**
 * Pings every `intervalMs`, and ends a connection that has not replied to the last ping. A sleeping laptop gives no other sign, and streams
 * to it would otherwise be sent forever.
 */
export function keepAlive(socket: WebSocket, intervalMs: number): void {
  let isResponded = true;
  socket.on('pong', () => (isResponded = true));
  const timer = setInterval(() => {
    if (!isResponded) return socket.terminate();
    isResponded = false;
    socket.ping();
  }, intervalMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
