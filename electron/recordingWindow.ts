// The browser of a recording. The backend starts the app's own program again and controls it over a pipe. This process is separate from the
// app: its data is in a folder of the backend (`--user-data-dir`), and page storage is in memory.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { app, BrowserWindow, type BrowserWindowConstructorOptions, dialog, session } from 'electron';
import { installMenu, recordingTemplate } from './menu.ts';
import { denyPermissions } from './permissions.ts';
import { firstSize, pagePreferences } from './window.ts';

const recordingSwitch = 'recording-window';
/** Display switches of this process that the browser's process needs too. */
const inheritedSwitches = ['no-sandbox', 'disable-gpu', 'ozone-platform', 'ozone-platform-hint'] as const;
/** Name of the partition. It does not begin with `persist:`, so nothing is stored on disk. */
const partition = 'recording';
const webPreferences = { ...pagePreferences, partition } as const;
/** Options that make a window visible and closable, whatever a page requests. */
const windowOptions: BrowserWindowConstructorOptions = { show: true, frame: true, closable: true, fullscreen: false, webPreferences };
/** Chromium's error number for a page load that another page load replaced. */
const ABORTED_ERROR = -3;

/** Returns the command that opens a recording window. A packaged app loads its own `main`; otherwise `main` is passed as an argument. */
export function recordingCommand(main: string): string[] {
  const switches = inheritedSwitches.flatMap((name) => {
    if (!app.commandLine.hasSwitch(name)) return [];
    const value = app.commandLine.getSwitchValue(name);
    return [value === '' ? `--${name}` : `--${name}=${value}`];
  });
  return [process.execPath, ...(app.isPackaged ? [] : [main]), `--${recordingSwitch}`, ...switches];
}

export function isRecordingWindow(): boolean {
  return app.commandLine.hasSwitch(recordingSwitch);
}

/** Opens a recording window instead of the app. The process ends when its last window or the pipe is closed. */
export function openRecordingWindow(): void {
  app.userAgentFallback = browserAgent(app.userAgentFallback);
  app.on('window-all-closed', () => app.quit());
  app.on('browser-window-created', (_event, window) => addBrowserBehaviour(window));
  void app.whenReady().then(startSession);
}

/** Returns the user agent of Chromium, without the parts for the app and Electron. */
export function browserAgent(agent: string): string {
  return agent.replaceAll(/ (?!(?:AppleWebKit|Chrome|Safari)\/)[^\s/()]+\/\S+/g, '');
}

function startSession(): void {
  const ownSession = session.fromPartition(partition);
  denyPermissions(ownSession);
  if (app.commandLine.hasSwitch('ignore-certificate-errors')) ownSession.setCertificateVerifyProc((_request, reply) => reply(0));
  ownSession.on('will-download', (_event, item, contents) => {
    // The file is saved without a dialog in the backend's folder, which is removed later.
    item.setSavePath(join(app.getPath('userData'), `saved-${randomUUID()}`));
    // A window that was opened only for a download stays empty.
    if (contents.getURL() === '') BrowserWindow.fromWebContents(contents)?.close();
  });
  installMenu(recordingTemplate({ mac: process.platform === 'darwin' }));
  void new BrowserWindow({ ...firstSize, title: 'Recording', webPreferences }).loadURL('about:blank');
}

/** Makes a window behave like a browser: new windows are of the same kind, the title shows the host, and there is an error page. */
function addBrowserBehaviour(window: BrowserWindow): void {
  const { webContents: contents } = window;
  contents.setWindowOpenHandler(({ features }) => ({
    action: 'allow',
    outlivesOpener: true,
    // A link that would open a tab in a browser opens a window with the size of the first window.
    overrideBrowserWindowOptions: features === '' ? { ...firstSize, ...windowOptions } : windowOptions,
  }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Otherwise, a page could keep the window open without a visible reason.
  contents.on('will-prevent-unload', (event) => event.preventDefault());
  window.on('page-title-updated', (event, title) => {
    event.preventDefault();
    window.setTitle(`Recording: ${hostNameOf(contents.getURL())} · ${title}`);
  });
  contents.on('did-fail-load', (_event, code, reason, address, isMainFrame) => {
    if (!isMainFrame || code === ABORTED_ERROR) return;
    void dialog.showMessageBox(window, { type: 'warning', message: 'This page could not be loaded.', detail: `${address}\n${reason}` });
  });
}

/** Returns the host for the window's title, because a page can set its title, but not its host. */
function hostNameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
