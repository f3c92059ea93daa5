import type { Port } from '#contract/rpc/port.ts';
import type { Relayed } from './messages.ts';

/** One connection of the page as a {@link Port} inside the backend's process. */
export interface RelayedPort extends Port {
  /** A frame, or the end, that came from the page. */
  receive(frame: string | null): void;
}

/** Electron says nothing of what it has not delivered yet, so {@link Port.unsentBytes} is 0 here. */
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
 * Sorts what the page sends to its connection. There is one page, so a new connection ends the one before: that page was
 * reloaded or closed and will not say so itself.
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
