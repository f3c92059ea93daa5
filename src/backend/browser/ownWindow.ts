import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { makeOwnFolder, removeOwnFolder } from '#engine/ownFolder.ts';
import { LAUNCH_LIMIT_MS, type OpenedBrowser, requireDisplay, type SavedFile } from './openBrowser.ts';
import { DevtoolsPipe, type PipeLimits } from './pipe.ts';

/** Command that opens a window of the desktop app by starting the app's own program again. */
export interface WindowCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Switches that limit the browser to the requests of its pages and make it reload a page after the back button. */
const SWITCHES = ['--remote-debugging-pipe', '--no-pings', '--disable-back-forward-cache'];

/** Wide limits, because the window is a trusted process. */
const LIMITS: PipeLimits = { messageBytes: 512_000_000, minuteBytes: Number.POSITIVE_INFINITY };
const POLL_INTERVAL_MS = 50;
/** Maximum time that the process may take to end after its pipe was closed. */
const MAX_END_MS = 5_000;
const MAX_OUTPUT_CHARACTERS = 2_000;
/** Blocks service workers. Playwright's option `serviceWorkers: 'block'` exists only for browsers that Playwright starts. */
const NO_SERVICE_WORKERS = 'if (self.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = async () => {};';

/**
 * Opens a window of the desktop app, which is based on Chromium. The window runs in a separate process with a fresh profile and is
 * controlled over a pipe: no port is open, and its process ends with this one. Electron cannot create tabs or contexts on command, so there
 * is one context with the window that Electron opens at its start. Throws `NO_DISPLAY` or `BROWSER_FAILED`.
 */
export async function openRecordingWindow(
  { program, args }: WindowCommand,
  { verify }: { readonly verify: boolean },
): Promise<OpenedBrowser> {
  requireDisplay();
  // Loaded on demand, because few commands need these 3 MB.
  const { chromium } = await import('playwright-core');
  const folder = await makeOwnFolder('browser');
  const child = spawn(
    program,
    [...args, ...SWITCHES, `--user-data-dir=${join(folder, 'profile')}`, ...(verify ? [] : ['--ignore-certificate-errors'])],
    // DevTools reads from descriptor 3 and writes to 4.
    { env: childEnvironment(), stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const getOutput = collectLastOutput(child);
  const gone = waitForExit(child);
  const pipe = new DevtoolsPipe(getChannel(child), Buffer.alloc(0), LIMITS);
  const endWindow = async (): Promise<void> => {
    pipe.close();
    await Promise.race([gone, after(MAX_END_MS, undefined, { ref: false }).then(() => child.kill('SIGKILL'))]);
    await removeOwnFolder(folder).catch(() => {});
  };
  try {
    const late = after(LAUNCH_LIMIT_MS, 'It showed no window.', { ref: false });
    const why = await Promise.race([waitUntilShown(pipe), gone, late]);
    if (why !== null) throw new Error(why);
    const browser = await chromium.connectOverCDP(pipe, {
      timeout: LAUNCH_LIMIT_MS,
      artifactsDir: folder,
      // Electron rejects Playwright's defaults.
      noDefaults: true,
    });
    const [context] = browser.contexts();
    if (context === undefined) throw new Error('It has no context.');
    await context.addInitScript(NO_SERVICE_WORKERS);
    return {
      context,
      onDownload: (page, listener) => void listenToDownloads(context, page, listener).catch(() => {}),
      async close() {
        await browser.close().catch(() => {});
        await endWindow();
      },
    };
  } catch (thrown) {
    await endWindow();
    throw windowFailed(thrown, getOutput());
  }
}

/** Without the browser-wide events that Electron lacks, only the tab reports its downloads. */
async function listenToDownloads(context: BrowserContext, page: Page, listener: (file: SavedFile) => void): Promise<void> {
  const session = await context.newCDPSession(page);
  session.on('Page.downloadWillBegin', ({ url, suggestedFilename }) => listener({ url, name: suggestedFilename }));
  await session.send('Page.enable');
}

const targetsSchema = z.object({ result: z.object({ targetInfos: z.array(z.object({ type: z.string(), url: z.string() })) }) });

/** Resolves with null once the window shows something. Playwright treats an empty window as crashed. */
async function waitUntilShown(pipe: DevtoolsPipe): Promise<null> {
  for (let id = 1; ; id += 1) {
    const reply = new Promise<object>((resolve) => void Object.assign(pipe, { onmessage: resolve }));
    pipe.send({ id, method: 'Target.getTargets' });
    const targets = targetsSchema.safeParse(await reply);
    if (targets.data?.result.targetInfos.some(({ type, url }) => type === 'page' && url !== '') === true) return null;
    await after(POLL_INTERVAL_MS);
  }
}

function getChannel({ stdio }: ChildProcess): Duplex {
  const channel = Duplex.from({ writable: stdio[3] as Writable, readable: stdio[4] as Readable });
  // The listener is needed only so that an error does not throw: the error also closes the channel.
  return channel.on('error', () => {});
}

function collectLastOutput({ stderr }: ChildProcess): () => string {
  let output = '';
  stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-MAX_OUTPUT_CHARACTERS)));
  return () => output.trim().split('\n').at(-1) ?? '';
}

/** Resolves with the reason of the exit; never rejects. */
function waitForExit(child: ChildProcess): Promise<string> {
  return once(child, 'exit').then(
    () => 'It has ended.',
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );
}

function windowFailed(thrown: unknown, output: string): HoldfastError {
  const [first = ''] = (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1);
  return new HoldfastError(
    {
      code: 'BROWSER_FAILED',
      message: `Holdfast could not open a window for the recording: ${[first, output]
        .filter((text) => text !== '')
        .join(' ')
        .slice(0, 400)}`,
      hint: 'Set the program of Chromium, Chrome or Edge in the variable HOLDFAST_BROWSER, and start Holdfast again.',
    },
    { cause: thrown },
  );
}
