// The browser of a recording: the app's own program, started once more by the backend, which controls it over a pipe. It knows nothing of the app: its data
// are in a folder of the backend (`--user-data-dir`), and what its pages keep is in memory.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { app, BrowserWindow, type BrowserWindowConstructorOptions, dialog, session } from 'electron';
import { installMenu, recordingTemplate } from './menu.ts';
import { denyPermissions } from './permissions.ts';
import { firstSize, pagePreferences } from './window.ts';

const recordingSwitch = 'recording-window';
/** By what this process came to the screen, the other one does. */
const passedOn = ['no-sandbox', 'disable-gpu', 'ozone-platform', 'ozone-platform-hint'] as const;
/** Without `persist:`, so that nothing of it is on the disk. */
const partition = 'recording';
const webPreferences = { ...pagePreferences, partition } as const;
/** Whatever a page asks for, a window can be seen and closed. */
const ordinary: BrowserWindowConstructorOptions = { show: true, frame: true, closable: true, fullscreen: false, webPreferences };
/** Chromium's number for a load that was given up for another one. */
const aborted = -3;

/** What starts such a window. A packaged app loads its own `main`; otherwise the program has to be given it. */
export function recordingCommand(main: string): string[] {
  const switches = passedOn.flatMap((name) => {
    if (!app.commandLine.hasSwitch(name)) return [];
    const value = app.commandLine.getSwitchValue(name);
    return [value === '' ? `--${name}` : `--${name}=${value}`];
  });
  return [process.execPath, ...(app.isPackaged ? [] : [main]), `--${recordingSwitch}`, ...switches];
}

export function isRecordingWindow(): boolean {
  return app.commandLine.hasSwitch(recordingSwitch);
}

/** Opens the window, in place of the app. The process ends with its last window, or with the pipe. */
export function openRecordingWindow(): void {
  app.userAgentFallback = browserAgent(app.userAgentFallback);
  app.on('window-all-closed', () => app.quit());
  app.on('browser-window-created', (_event, window) => tend(window));
  void app.whenReady().then(begin);
}

/** What a server hears from Chromium: neither the app nor Electron is named. */
export function browserAgent(agent: string): string {
  return agent.replaceAll(/ (?!(?:AppleWebKit|Chrome|Safari)\/)[^\s/()]+\/\S+/g, '');
}

function begin(): void {
  const own = session.fromPartition(partition);
  denyPermissions(own);
  if (app.commandLine.hasSwitch('ignore-certificate-errors')) own.setCertificateVerifyProc((_request, answer) => answer(0));
  own.on('will-download', (_event, item, contents) => {
    // The backend's folder is removed with the rest, and no dialog asks.
    item.setSavePath(join(app.getPath('userData'), `saved-${randomUUID()}`));
    // A window that was opened for it alone stays empty.
    if (contents.getURL() === '') BrowserWindow.fromWebContents(contents)?.close();
  });
  installMenu(recordingTemplate({ mac: process.platform === 'darwin' }));
  void new BrowserWindow({ ...firstSize, title: 'Recording', webPreferences }).loadURL('about:blank');
}

/** What a browser does around its pages: new windows of the same kind, their address in the title, and a word where a page cannot be had. */
function tend(window: BrowserWindow): void {
  const { webContents: contents } = window;
  contents.setWindowOpenHandler(({ features }) => ({
    action: 'allow',
    outlivesOpener: true,
    // What would be a tab elsewhere is as large as the first window.
    overrideBrowserWindowOptions: features === '' ? { ...firstSize, ...ordinary } : ordinary,
  }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Without a word the window would stay open, and nobody would know why.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  window.on('page-title-updated', (event, title) => {
    event.preventDefault();
    window.setTitle(`Recording: ${placeOf(contents.getURL())} · ${title}`);
  });
  contents.on('did-fail-load', (_event, code, reason, address, isMainFrame) => {
    if (!isMainFrame || code === aborted) return;
    void dialog.showMessageBox(window, { type: 'warning', message: 'This page could not be loaded.', detail: `${address}\n${reason}` });
  });
}

/** A page writes its title, never its host. */
function placeOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
