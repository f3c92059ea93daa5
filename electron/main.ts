// The desktop shell. It has one window and one backend process, and passes frames between them without parsing them.
import { join } from 'node:path';
import { app, dialog, session, type BrowserWindow } from 'electron';
import type { Problem } from '#core/base/errors.ts';
import { declareScheme, servePage } from './appProtocol.ts';
import { hostBackend, type BackendHost } from './backendHost.ts';
import { listenToPage, reportOfFile, reportPage } from './ipc.ts';
import { installMenu, menuTemplate } from './menu.ts';
import { denyPermissions } from './permissions.ts';
import { findPlanArgument, readPlanFile } from './planFile.ts';
import { isRecordingWindow, openRecordingWindow, recordingCommand } from './recordingWindow.ts';
import { unpackedPath } from './unpacked.ts';
import { keepForPage, performVerb } from './verbs.ts';
import { openWindow } from './window.ts';

const builtDirectory = join(__dirname, '..');
const preload = join(__dirname, 'preload.cjs');

let window: BrowserWindow | undefined;
let backend: BackendHost | undefined;
let runningCount = 0;
let isLeaving = false;

app.enableSandbox();
if (isRecordingWindow()) openRecordingWindow();
else if (app.requestSingleInstanceLock()) {
  declareScheme();
  app.on('second-instance', (_event, words, workingDirectory) => {
    showWindow();
    openPlan(findPlanArgument(words, workingDirectory));
  });
  // macOS sends this event, in some cases before the app is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    showWindow();
    openPlan(path);
  });
  app.on('activate', showWindow);
  app.on('window-all-closed', leaveUnlessRunning);
  app.on('before-quit', (event) => {
    if (isLeaving || !backend) return;
    event.preventDefault();
    void leave();
  });
  openPlan(findPlanArgument(process.argv, process.cwd()));
  void app.whenReady().then(begin);
} else {
  app.quit();
}

function begin(): void {
  denyPermissions(session.defaultSession);
  servePage(join(builtDirectory, 'ui'));
  installMenu(menuTemplate({ mac: process.platform === 'darwin', developer: !app.isPackaged }));
  backend = hostBackend(unpackedPath(join(builtDirectory, 'node', 'backendProcess.mjs')), recordingCommand(__filename), {
    onFrame: (relayed) => reportPage(window, relayed),
    onRunning(count) {
      runningCount = count;
      if (!window) leaveUnlessRunning();
    },
    onFailure: (problem) => void fail(problem),
  });
  listenToPage({ window: () => window, toBackend: (relayed) => backend?.send(relayed), verb: performVerb });
  showWindow();
}

function openPlan(path: string | undefined): void {
  if (path === undefined) return;
  void readPlanFile(path).then((file) => {
    keepForPage(file);
    reportOfFile(window);
  });
}

function showWindow(): void {
  if (!app.isReady() || isLeaving) return;
  if (window) {
    if (window.isMinimized()) window.restore();
    return window.focus();
  }
  const openedWindow = openWindow(preload);
  openedWindow.on('close', (event) => {
    if (!isLeaving && runningCount > 0 && !mayClose(openedWindow)) event.preventDefault();
  });
  openedWindow.on('closed', () => (window = undefined));
  window = openedWindow;
}

/**
 * Asks what to do with a running test when the window closes. Returns false if the user cancels. A test that continues is shown when
 * Holdfast is opened again.
 */
function mayClose(window: BrowserWindow): boolean {
  const choice = dialog.showMessageBoxSync(window, {
    type: 'question',
    message: 'A test is running.',
    detail: 'It can continue without a window. Open Holdfast again to see it. After the test, Holdfast quits by itself.',
    buttons: ['Keep the test running', 'Stop the test and quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
  });
  if (choice === 1) void leave();
  return choice !== 2;
}

function leaveUnlessRunning(): void {
  if (runningCount === 0 && process.platform !== 'darwin') void leave();
}

async function leave(): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  await backend?.close();
  app.quit();
}

async function fail({ message, hint }: Problem): Promise<void> {
  if (isLeaving) return;
  dialog.showErrorBox(message, hint);
  await leave();
}
