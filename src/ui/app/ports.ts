import type { Port } from '#contract/rpc/port.ts';

/** What the preload of the desktop shell offers; `verbs` are what a page cannot do by itself. */
interface DesktopBridge {
  readonly port: {
    send(frame: string): void;
    onFrame(listener: (frame: string) => void): void;
    onClose(listener: () => void): void;
  };
  readonly verbs: {
    openExternal(url: string): Promise<unknown>;
    /** Asks where to save; the page never learns the path. */
    saveText(file: { readonly suggestedName: string; readonly content: string }): Promise<unknown>;
    /** Gives a plan that the system opened with the app, once. */
    takeFile(): Promise<unknown>;
    /** Calls when such a plan waits. */
    onFile(listener: () => void): void;
    /** Prints an HTML document to a PDF and asks where to save it. */
    savePdf(file: { readonly suggestedName: string; readonly html: string }): Promise<unknown>;
  };
}

declare global {
  interface Window {
    readonly holdfast?: DesktopBridge;
  }
}

/** Opens a new connection to the backend each time it is called. */
export type Dial = () => Port;

/** The way to the backend of this page: the desktop's relay, else a WebSocket to the server that the page came from. */
export function dialFor(page: Window): Dial {
  const { holdfast } = page;
  return holdfast ? desktopDial(holdfast.port) : () => webSocketPort(new URL('/rpc', page.location.href.replace(/^http/, 'ws')));
}

/** The relay lives as long as the window, so its listeners are added once and hand on to the connection of the moment. */
function desktopDial(bridge: DesktopBridge['port']): Dial {
  let current: { frame(text: string): void; close(): void } | undefined;
  bridge.onFrame((text) => current?.frame(text));
  bridge.onClose(() => current?.close());
  return () => {
    const listeners = newListeners();
    current = { frame: (text) => listeners.frame(text), close: () => listeners.close() };
    return {
      unsentBytes: 0,
      send: (frame) => bridge.send(frame),
      onFrame: listeners.onFrame,
      onClose: listeners.onClose,
      close: () => listeners.close(),
    };
  };
}

/** Frames sent before the socket is open wait for it. */
function webSocketPort(address: URL): Port {
  const listeners = newListeners();
  const socket = new WebSocket(address);
  const waiting: string[] = [];
  socket.addEventListener('open', () => {
    for (const frame of waiting.splice(0)) socket.send(frame);
  });
  socket.addEventListener('message', (event) => {
    if (typeof event.data === 'string') listeners.frame(event.data);
  });
  socket.addEventListener('close', () => listeners.close());
  return {
    get unsentBytes() {
      return socket.bufferedAmount;
    },
    send(frame) {
      if (socket.readyState === WebSocket.CONNECTING) waiting.push(frame);
      else if (socket.readyState === WebSocket.OPEN) socket.send(frame);
    },
    onFrame: listeners.onFrame,
    onClose: listeners.onClose,
    close() {
      socket.close();
      listeners.close();
    },
  };
}

function newListeners() {
  const onFrame: ((frame: string) => void)[] = [];
  const onClose: (() => void)[] = [];
  let closed = false;
  return {
    onFrame: (listener: (frame: string) => void): void => void onFrame.push(listener),
    onClose: (listener: () => void): void => void onClose.push(listener),
    frame(text: string): void {
      if (!closed) for (const listener of onFrame) listener(text);
    },
    close(): void {
      if (closed) return;
      closed = true;
      for (const listener of onClose) listener();
    },
  };
}
