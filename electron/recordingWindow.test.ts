import { beforeEach, describe, expect, it, vi } from 'vitest';
import { browserAgent, isRecordingWindow, openRecordingWindow, recordingCommand } from './recordingWindow.ts';
import { app, BrowserWindow, browserWindows, messages, partitions, switches } from './testing/electron.ts';

beforeEach(() => {
  switches.clear();
  browserWindows.length = partitions.length = messages.length = 0;
  app.removeAllListeners();
  app.hasQuit = app.isPackaged = false;
});

async function openWindow(): Promise<{ readonly window: BrowserWindow; readonly partition: (typeof partitions)[number] }> {
  openRecordingWindow();
  await vi.waitFor(() => expect(browserWindows).toHaveLength(1));
  const [window, partition] = [browserWindows[0], partitions[0]];
  if (!window || !partition) throw new Error('There is no window.');
  return { window, partition };
}

describe('the command that opens a recording window', () => {
  it('is the program itself, with its main script as an argument unless the app is packaged', () => {
    expect(recordingCommand('/x/main.cjs')).toEqual([process.execPath, '/x/main.cjs', '--recording-window']);
    app.isPackaged = true;
    expect(recordingCommand('/x/main.cjs')).toEqual([process.execPath, '--recording-window']);
  });

  it('passes on only display switches', () => {
    app.isPackaged = true;
    for (const name of ['no-sandbox', 'remote-debugging-port', 'inspect', 'user-data-dir']) switches.set(name, '');
    switches.set('ozone-platform', 'wayland');
    expect(recordingCommand('').slice(1)).toEqual(['--recording-window', '--no-sandbox', '--ozone-platform=wayland']);
  });

  it('is recognized by the process that it starts', () => {
    expect(isRecordingWindow()).toBe(false);
    switches.set('recording-window', '');
    expect(isRecordingWindow()).toBe(true);
  });
});

describe('the recording window', () => {
  it('behaves like a browser, and stores nothing on disk', async () => {
    const { window, partition } = await openWindow();
    const preferences = { sandbox: true, contextIsolation: true, nodeIntegration: false, webviewTag: false, partition: 'recording' };
    expect(window.options).toMatchObject({ webPreferences: preferences });
    expect(window.options).not.toHaveProperty('webPreferences.preload');
    expect(partition.name).not.toMatch(/^persist:/);
    expect(window.loaded).toBe('about:blank');
  });

  it('opens windows of the same kind, which are visible, can be closed, and stay open when the first window closes', async () => {
    const { window } = await openWindow();
    expect(window.openHandler?.({ features: 'width=300' })).toMatchObject({
      action: 'allow',
      outlivesOpener: true,
      overrideBrowserWindowOptions: { show: true, frame: true, closable: true, webPreferences: { sandbox: true, partition: 'recording' } },
    });
    const asTab = { overrideBrowserWindowOptions: { width: 1_280, height: 860 } };
    expect(window.openHandler?.({ features: '' })).toMatchObject(asTab);
    expect(window.openHandler?.({ features: 'width=300' })).not.toMatchObject(asTab);
    expect(new BrowserWindow().openHandler).toBeDefined();
  });

  it('ends the process with the last window', async () => {
    await openWindow();
    app.emit('window-all-closed');
    expect(app.hasQuit).toBe(true);
  });

  it("shows the page's host, which a page title cannot hide", async () => {
    const { window } = await openWindow();
    window.loaded = 'https://shop.example:8443/login?next=/';
    const event = { preventDefault: vi.fn<() => void>() };
    window.emit('page-title-updated', event, 'bank.example');
    expect(window.title).toBe('Recording: shop.example:8443 · bank.example');
    expect(event.preventDefault).toHaveBeenCalled();
  });

  it('shows an error if a page fails to load, but not if another page replaces it', async () => {
    const { window } = await openWindow();
    window.webContents.emit('did-fail-load', {}, -3, 'ERR_ABORTED', 'http://a.example/', true);
    window.webContents.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', 'http://a.example/frame', false);
    expect(messages).toEqual([]);
    window.webContents.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', 'http://a.example/', true);
    expect(messages).toEqual([expect.objectContaining({ detail: 'http://a.example/\nERR_CONNECTION_REFUSED' })]);
  });

  it('saves files in its data folder, and closes a window that was opened for a download', async () => {
    const { window, partition } = await openWindow();
    const paths: string[] = [];
    const item = { setSavePath: (path: string) => paths.push(path) };
    window.loaded = 'http://a.example/';
    partition.emit('will-download', {}, item, window.webContents);
    const empty = new BrowserWindow();
    partition.emit('will-download', {}, item, empty.webContents);
    expect(paths).toEqual([expect.stringMatching(/^\/userData\/saved-/), expect.stringMatching(/^\/userData\/saved-/)]);
    expect([window.closed, empty.closed]).toEqual([false, true]);
  });

  it.each([[false], [true]])('accepts any certificate only if that was requested: %s', async (isWanted) => {
    if (isWanted) switches.set('ignore-certificate-errors', '');
    const { partition } = await openWindow();
    const replies: number[] = [];
    partition.verify?.({}, (code) => replies.push(code));
    expect(replies).toEqual(isWanted ? [0] : []);
  });
});

it('a recording window has the user agent of Chromium', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0';
  expect(browserAgent(`${chrome} Electron/45.4.1 Safari/537.36`)).toBe(`${chrome} Safari/537.36`);
  expect(browserAgent(chrome.replace(' Chrome', ' Holdfast/0.1.0 Chrome') + ' Electron/45.4.1 Safari/537.36')).toBe(
    `${chrome} Safari/537.36`,
  );
});
