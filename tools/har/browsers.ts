import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { browserFlags, installedBrowser } from '#tools/check/browser.ts';

/** A user's actions on a page. */
export type Visit = (page: Page) => Promise<void>;
/** Visits pages in a new browser, and resolves with its recording. */
export type Recorder = (visit: Visit) => Promise<string>;

const CONTEXT = { locale: 'en-GB', viewport: { width: 1_024, height: 700 } };

/** Records with Playwright. */
export const recordByPlaywright: Recorder = async (visit) => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-har-'));
  const executablePath = installedBrowser();
  const browser = await chromium.launch({ args: [...browserFlags], ...(executablePath ? { executablePath } : {}) });
  try {
    const path = join(folder, 'recording.har');
    const context = await browser.newContext({ ...CONTEXT, recordHar: { path, content: 'embed', mode: 'full' } });
    await visit(await context.newPage());
    await context.close();
    return await readFile(path, 'utf8');
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/**
 * Records what the Network panel of Chromium's DevTools saves as HAR: without cookies and logins (its default), or with them. Opens
 * DevTools as a page and calls its own HAR writer. “Preserve log” is on.
 */
export function recordByDevTools({ isSensitive }: { readonly isSensitive: boolean }): Recorder {
  return async (visit) => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-har-'));
    const file = installedBrowser() ?? chromium.executablePath();
    const options = ['--headless=new', '--remote-debugging-port=0', '--remote-allow-origins=*', `--user-data-dir=${folder}`];
    const browser = spawn(file, [...browserFlags, '--lang=en-GB', ...options, 'about:blank'], { stdio: 'ignore' });
    try {
      const port = await portIn(join(folder, 'DevToolsActivePort'));
      const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
      const [context] = connected.contexts();
      if (context === undefined) throw new Error('The browser has no window.');
      const page = await context.newPage();
      const tools = await openTools(context, page, port);
      await sleep(SETTLING_MS);
      await tools.evaluate(PRESERVE_LOG);
      await visit(page);
      await sleep(SETTLING_MS);
      const text = await tools.evaluate<string>(writeHar(!isSensitive));
      await connected.close();
      return text;
    } finally {
      const ended = once(browser, 'close');
      if (browser.kill()) await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    }
  };
}

/** DevTools continues to load, and processes events late. */
const SETTLING_MS = 5_000;
const PATIENCE_MS = 30_000;

async function portIn(file: string): Promise<string> {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    const [port = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
    if (port !== '') return port;
    await sleep(100);
  }
  throw new Error('The browser did not open its port for tools.');
}

async function openTools(context: BrowserContext, page: Page, port: string): Promise<Page> {
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  const tools = await context.newPage();
  await tools.goto(`devtools://devtools/bundled/devtools_app.html?ws=127.0.0.1:${port}/devtools/page/${targetInfo.targetId}`);
  await tools.waitForFunction(NETWORK_MODULE_SCRIPT, null, { timeout: PATIENCE_MS });
  return tools;
}

/** DevTools' network module observes the page. */
const NETWORK_MODULE_SCRIPT = `(async () => {
  const sdk = await import('devtools://devtools/bundled/core/sdk/sdk.js');
  const logs = await import('devtools://devtools/bundled/models/logs/logs.js');
  const target = sdk.TargetManager.TargetManager.instance().primaryPageTarget();
  if (!target?.model(sdk.NetworkManager.NetworkManager)) return false;
  await target.networkAgent().invoke_enable({});
  return logs.NetworkLog.NetworkLog.instance() !== undefined;
})()`;

const PRESERVE_LOG = `(async () => {
  const common = await import('devtools://devtools/bundled/core/common/common.js');
  const sdk = await import('devtools://devtools/bundled/core/sdk/sdk.js');
  common.Settings.Settings.instance().resolve(sdk.SDKSettings.preserveNetworkLogSettingDescriptor).set(true);
})()`;

/** Runs in the DevTools page with its own modules. */
const writeHar = (sanitize: boolean): string => `(async () => {
  const har = await import('devtools://devtools/bundled/models/har/har.js');
  const logs = await import('devtools://devtools/bundled/models/logs/logs.js');
  const common = await import('devtools://devtools/bundled/core/common/common.js');
  const chunks = [];
  const stream = { write: async (chunk) => void chunks.push(chunk), close: async () => {} };
  const requests = logs.NetworkLog.NetworkLog.instance().requests();
  await har.Writer.Writer.write(stream, requests, { sanitize: ${sanitize} }, new common.Progress.Progress());
  return chunks.join('');
})()`;
