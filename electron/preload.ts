// oxlint-disable-next-line no-restricted-imports -- this file offers the functions
import { contextBridge, ipcRenderer } from 'electron';
import { channels } from './channels.ts';

/**
 * Returns a random name for a connection, which the page never gets. After the backend was lost, later messages from the page use a new
 * connection, and late frames of the old connection are dropped.
 */
const newConnectionName = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
let connection = newConnectionName();
const frameListeners: ((frame: string) => void)[] = [];
const closeListeners: (() => void)[] = [];
const fileListeners: (() => void)[] = [];

ipcRenderer.on(channels.toPage, (_event, from: unknown, frame: unknown) => {
  if (from !== connection) return;
  if (typeof frame === 'string') {
    for (const listener of frameListeners) listener(frame);
    return;
  }
  connection = newConnectionName();
  for (const listener of closeListeners) listener();
});

ipcRenderer.on(channels.file, () => {
  for (const listener of fileListeners) listener();
});

contextBridge.exposeInMainWorld('holdfast', {
  port: {
    send: (frame: string): void => ipcRenderer.send(channels.toBackend, connection, String(frame)),
    onFrame: (listener: (frame: string) => void): void => {
      frameListeners.push(listener);
    },
    onClose: (listener: () => void): void => {
      closeListeners.push(listener);
    },
  },
  verbs: {
    openExternal: (url: string): Promise<unknown> => ipcRenderer.invoke(channels.verb, { verb: 'openExternal', url: String(url) }),
    saveText: ({ suggestedName, content }: { suggestedName: string; content: string }): Promise<unknown> =>
      ipcRenderer.invoke(channels.verb, { verb: 'saveText', suggestedName: String(suggestedName), content: String(content) }),
    takeFile: (): Promise<unknown> => ipcRenderer.invoke(channels.verb, { verb: 'takeFile' }),
    onFile: (listener: () => void): void => {
      fileListeners.push(listener);
    },
    savePdf: ({ suggestedName, html }: { suggestedName: string; html: string }): Promise<unknown> =>
      ipcRenderer.invoke(channels.verb, { verb: 'savePdf', suggestedName: String(suggestedName), html: String(html) }),
  },
});
