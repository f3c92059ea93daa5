import type { Port } from '#contract/rpc/port.ts';
import type { Relayed } from './messages.ts';

/** A connection from the page in the backend's process, in the form of a {@link Port}. */
export interface RelayedPort extends Port {
  /** Receives a frame from the page. null means the end of the connection. */
  receive(frame: string | null): void;
}

/** Creates the port of a connection. Its {@link Port.unsentBytes} is 0, because Electron does not report data that is not delivered yet. */
export function relayedPort(connection: string, post: (relayed: Relayed) => void): RelayedPort {
  const frameListeners: ((frame: string) => void)[] = [];
  const closeListeners: (() => void)[] = [];
  let open = true;
  const end = (): boolean => {
    if (!open) return false;
    open = false;
    for (const listener of closeListeners) listener();
    return true;
  };
  return {
    unsentBytes: 0,
    send(frame) {
      if (open) post({ type: 'frame', connection, frame });
    },
    onFrame: (listener) => void frameListeners.push(listener),
    onClose: (listener) => void closeListeners.push(listener),
    close() {
      if (end()) post({ type: 'frame', connection, frame: null });
    },
    receive(frame) {
      if (frame === null) end();
      else if (open) for (const listener of frameListeners) listener(frame);
    },
  };
}

/**
 * Returns a function that passes frames from the page to their connection. There is only one page, so a new connection ends the previous
 * one. The page was then reloaded or closed, which it does not report.
 */
export function connections(connect: (port: Port) => void, post: (relayed: Relayed) => void): (relayed: Relayed) => void {
  let current: { readonly name: string; readonly port: RelayedPort } | undefined;
  return ({ connection, frame }) => {
    if (current?.name !== connection) {
      current?.port.receive(null);
      current = undefined;
      if (frame === null) return;
      current = { name: connection, port: relayedPort(connection, post) };
      connect(current.port);
    }
    current.port.receive(frame);
    if (frame === null) current = undefined;
  };
}
