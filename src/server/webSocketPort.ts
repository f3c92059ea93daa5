import type { WebSocket } from 'ws';
import type { Port } from '#contract/rpc/port.ts';

/** A WebSocket as a {@link Port}. Binary messages are not part of the protocol and close it. */
export function webSocketPort(socket: WebSocket): Port {
  return {
    send(frame) {
      if (socket.readyState === socket.OPEN) socket.send(frame);
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
 * Pings every `intervalMs` and ends a connection that did not answer the last ping: a laptop that went to sleep leaves no other
 * sign, and its streams would be fed for ever.
 */
export function keepAlive(socket: WebSocket, intervalMs: number): void {
  let answered = true;
  socket.on('pong', () => (answered = true));
  const timer = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, intervalMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
