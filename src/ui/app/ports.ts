import { type Hello, REFUSED_CODE, WELCOME } from '#contract/rpc/frames.ts';
import type { BackendPort, Dial } from '#ui/shared/connection.ts';

/** API of the desktop shell's preload script. `verbs` are actions that a page cannot perform itself. */
interface DesktopBridge {
  readonly port: { send(frame: string): void; onFrame(listener: (frame: string) => void): void; onClose(listener: () => void): void };
  readonly verbs: {
    openExternal(url: string): Promise<unknown>;
    /** Asks the user where to save a text file. The page never receives the path. */
    saveText(file: { readonly suggestedName: string; readonly content: string }): Promise<unknown>;
    /** Returns a plan file that the system opened with the app. Each file is returned only once. */
    takeFile(): Promise<unknown>;
    /** Calls the listener when a plan file was opened. */
    onFile(listener: () => void): void;
    /** Prints an HTML document to a PDF, and asks the user where to save it. */
    savePdf(file: { readonly suggestedName: string; readonly html: string }): Promise<unknown>;
  };
}

declare global {
  interface Window {
    readonly holdfast?: DesktopBridge;
  }
}

/** Access token for a server. */
interface Key {
  readonly token: string | null;
  /** Asks other pages for a token after this page's token was refused. */
  askOthers(): void;
}

/**
 * Returns how to connect to the backend: through the desktop's relay, which needs no token, or through a WebSocket to the page's server.
 */
export function dialFor(page: Window, key: Key | null): Dial {
  if (page.holdfast) return desktopDial(page.holdfast.port);
  const address = new URL('/rpc', page.location.href.replace(/^http/, 'ws'));
  return () => webSocketPort(address, key?.token ?? '', () => key?.askOthers());
}

/**
 * Returns how to connect through the relay, which exists as long as the window. Its listeners are therefore added only once, and forward to
 * the current connection.
 */
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

/** Opens a WebSocket and sends the token first. Other frames wait until the server has accepted the token. */
function webSocketPort(address: URL, token: string, onRefused: () => void): BackendPort {
  const listeners = newListeners();
  const socket = new WebSocket(address);
  let waiting: string[] | null = [];
  let isRefused = false;
  socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'hello', token } satisfies Hello)));
  socket.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return;
    if (waiting === null) return listeners.frame(data);
    if (data !== WELCOME) return;
    const frames = waiting;
    waiting = null;
    for (const frame of frames) socket.send(frame);
  });
  socket.addEventListener('close', ({ code }) => {
    isRefused = code === REFUSED_CODE;
    listeners.close();
    if (isRefused) onRefused();
  });
  return {
    get isRefused() {
      return isRefused;
    },
    get unsentBytes() {
      return socket.bufferedAmount;
    },
    send(frame) {
      if (waiting !== null) waiting.push(frame);
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
  let isClosed = false;
  return {
    onFrame: (listener: (frame: string) => void): void => void onFrame.push(listener),
    onClose: (listener: () => void): void => void onClose.push(listener),
    frame(text: string): void {
      if (!isClosed) for (const listener of onFrame) listener(text);
    },
    close(): void {
      if (isClosed) return;
      isClosed = true;
      for (const listener of onClose) listener();
    },
  };
}
