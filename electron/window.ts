import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, screen, type BrowserWindowConstructorOptions } from 'electron';
import { confine } from './navigation.ts';
import { pageStart } from './page.ts';
import { windowBounds } from './windowState.ts';

/** What the page's process may do: as little as a page of the web. */
export function pagePreferences(preload: string): NonNullable<BrowserWindowConstructorOptions['webPreferences']> {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
  };
}

/** Opens the window where it was last time and loads the page into it. */
export function openWindow(preload: string): BrowserWindow {
  const stateFile = join(app.getPath('userData'), 'window.json');
  const window = new BrowserWindow({
    ...windowBounds(
      read(stateFile),
      screen.getAllDisplays().map(({ workArea }) => workArea),
    ),
    minWidth: 320,
    minHeight: 320,
    show: false,
    title: 'Holdfast',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#14181c' : '#ffffff',
    webPreferences: pagePreferences(preload),
  });
  confine(window.webContents);
  window.once('ready-to-show', () => window.show());
  window.on('close', () => remember(stateFile, window));
  void window.loadURL(pageStart);
  return window;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function remember(file: string, window: BrowserWindow): void {
  try {
    writeFileSync(file, JSON.stringify(window.getNormalBounds()));
  } catch {
    // A window that opens elsewhere next time is not worth a word.
  }
}
