// oxlint-disable-next-line no-restricted-imports -- this file handles the messages
import { ipcMain, type BrowserWindow } from 'electron';
import { channels } from './channels.ts';
import { maxFrameLength, relayedSchema, verbSchema, type Relayed, type Verb, type VerbReply } from './messages.ts';
import { isPageFrame } from './page.ts';

export interface IpcHost {
  /** Returns the open window. */
  window(): BrowserWindow | undefined;
  toBackend(relayed: Relayed): void;
  verb(verb: Verb, window: BrowserWindow): Promise<VerbReply>;
}

/** Listens to the page. Messages are ignored unless they come from the main frame of Holdfast's own page in Holdfast's own window. */
export function listenToPage(host: IpcHost): void {
  ipcMain.on(channels.toBackend, ({ sender, senderFrame }, connection: unknown, frame: unknown) => {
    if (sender !== host.window()?.webContents || !isPageFrame(senderFrame)) return;
    const relayed = relayedSchema.safeParse({ type: 'frame', connection, frame });
    if (!relayed.success || (relayed.data.frame?.length ?? 0) > maxFrameLength) return;
    host.toBackend(relayed.data);
  });
  ipcMain.handle(channels.verb, async ({ sender, senderFrame }, input: unknown): Promise<VerbReply> => {
    const window = host.window();
    if (!window || sender !== window.webContents || !isPageFrame(senderFrame)) return { done: false };
    const verb = verbSchema.safeParse(input);
    return verb.success ? host.verb(verb.data, window) : { done: false };
  });
}

/** Notifies the page, if it is open, that a file is waiting. */
export function reportOfFile(window: BrowserWindow | undefined): void {
  if (window && !window.isDestroyed()) window.webContents.send(channels.file);
}

/** Sends a frame, or the end of the connection, to the page if it is open. */
export function reportPage(window: BrowserWindow | undefined, { connection, frame }: Relayed): void {
  if (window && !window.isDestroyed()) window.webContents.send(channels.toPage, connection, frame);
}
