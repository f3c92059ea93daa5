import { z } from 'zod';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { app, BrowserWindow, type BrowserWindowConstructorOptions, nativeTheme, screen } from 'electron';
import { confineNavigation } from './navigation.ts';
import { pageStart } from './page.ts';

const boundsSchema = z.strictObject({ x: z.int(), y: z.int(), width: z.int().min(320), height: z.int().min(320) });
export type Bounds = z.infer<typeof boundsSchema>;

export const firstSize = { width: 1_280, height: 860 };

/** Returns the last bounds of the window if they are still on a screen; otherwise only a size, so that the system chooses the position. */
export function windowBounds(saved: string | undefined, screens: readonly Bounds[]): Bounds | typeof firstSize {
  const bounds = parse(saved);
  return bounds && screens.some((screen) => isReachable(bounds, screen)) ? bounds : firstSize;
}

function parse(saved: string | undefined): Bounds | undefined {
  try {
    return boundsSchema.parse(JSON.parse(saved ?? ''));
  } catch {
    return undefined;
  }
}

/** Returns whether enough of the title bar is on the screen. */
function isReachable(bounds: Bounds, screen: Bounds): boolean {
  const seen = Math.min(bounds.x + bounds.width, screen.x + screen.width) - Math.max(bounds.x, screen.x);
  return seen >= 120 && bounds.y >= screen.y && bounds.y <= screen.y + screen.height - 40;
}

/** Preferences that give every window's process only the rights of a web page. */
export const pagePreferences = {
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
} as const satisfies BrowserWindowConstructorOptions['webPreferences'];

/** Opens the window at its last position and loads the page. */
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
    webPreferences: { ...pagePreferences, preload },
  });
  confineNavigation(window.webContents);
  window.once('ready-to-show', () => window.show());
  window.on('close', () => saveBounds(stateFile, window));
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

function saveBounds(file: string, window: BrowserWindow): void {
  try {
    writeFileSync(file, JSON.stringify(window.getNormalBounds()));
  } catch {
    // Ignored, because losing the window's position is not worth an error.
  }
}
