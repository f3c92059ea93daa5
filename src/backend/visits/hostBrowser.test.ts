import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { connectTo } from '#backend/remote/testing/connectTo.ts';
import { hasSshServer, type SshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import type { PlacedBrowser } from './browser.ts';
import { openHostBrowser } from './hostBrowser.ts';
import { type PageServer, startPageServer } from './testing/pageServer.ts';

let pages: PageServer;
let server: SshServer;
let placedBrowser: PlacedBrowser | undefined;
beforeAll(async () => {
  pages = await startPageServer();
});
afterAll(() => pages.close());
afterEach(async () => {
  await placedBrowser?.end();
  placedBrowser = undefined;
});

/** A plan with a watched page on this computer. */
const plan = (): Plan =>
  planSchema.parse({
    holdfast: 1,
    name: 'seen',
    targets: [{ url: pages.url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
    watchPages: [{}],
  });

const open = async (options: Parameters<typeof openHostBrowser>[2] = {}, user: string | null = null): Promise<PlacedBrowser> =>
  (placedBrowser = await openHostBrowser(await connectTo(server, temporaryDirectory(), user), plan(), options));

async function readPageText({ browser }: PlacedBrowser): Promise<string> {
  const page = await browser.newPage();
  await page.goto(pages.url);
  return page.title();
}

/** Lists the browser folders in the server's folder for temporary files. */
const listBrowserFolders = (): string[] => readdirSync(join(server.home, '..')).filter((name) => name.startsWith('holdfast-visits-'));

/** Asserts that no browser and no monitoring script is left. Browsers are found by the profile on their command line. */
async function expectNothingLeft(): Promise<void> {
  await expect
    .poll(() => [server.pidsOf('holdfast-visits-'), server.pidsOf('--remote-debugging-pipe'), listBrowserFolders()], { timeout: 20_000 })
    .toEqual([[], [], []]);
  expect(readdirSync(server.home), 'in the home directory').toEqual([]);
}

describe.skipIf(!hasSshServer)('a browser on a host', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    server = await startSshServer({ config: ['AllowTcpForwarding no', 'AllowStreamLocalForwarding no', 'PermitListen none'] });
  });
  afterAll(() => server?.stop());

  it('leaves nothing behind even if it was killed with its shell, and opens pages without forwarding', async () => {
    await open();
    const [left] = listBrowserFolders();
    server.killAll('holdfast-visits-');
    await placedBrowser?.end();
    expect(listBrowserFolders()).toEqual([left]);
    const openedBrowser = await open();
    expect(openedBrowser).toMatchObject({ from: 'there', name: expect.stringMatching(/^Chromium \d+/) });
    expect(listBrowserFolders()).toHaveLength(1);
    expect(listBrowserFolders()).not.toContain(left);
    expect(await readPageText(openedBrowser)).toBe('Shop');
    expect(pages.hosts.length).toBeGreaterThan(0);
    expect((await openedBrowser.readProcessors())?.total).toBeGreaterThan(0);
    expect(server.pidsOf('holdfast-visits-').length).toBeGreaterThan(0);
    await openedBrowser.end();
    expect(listBrowserFolders(), 'at once').toEqual([]);
    await expectNothingLeft();
  });

  it('ends when the connection breaks', async () => {
    const openedBrowser = await open();
    const ended = new Promise<void>((resolve) => void openedBrowser.browser.once('disconnected', () => resolve()));
    await readPageText(openedBrowser);
    server.cut();
    await ended;
    expect(openedBrowser.browser.isConnected()).toBe(false);
    await expectNothingLeft();
  });

  it('ends if its keepalive messages stop', async () => {
    const openedBrowser = await open({ silence: { rounds: 5, roundSeconds: 1 }, wantedEveryMs: 600_000 });
    await readPageText(openedBrowser);
    await expectNothingLeft();
  });
});

describe.skipIf(!hasSshServer)('a browser on another host', { timeout: 120_000 }, () => {
  afterEach(() => server?.stop());

  it('runs for an account other than root, with its sandbox if the system allows it', async () => {
    server = await startSshServer({ user: 'ada' });
    chmodSync(join(server.home, '..'), 0o1733);
    try {
      expect(await readPageText(await open({}, 'ada'))).toBe('Shop');
    } catch (thrown) {
      // A container may forbid the sandbox. The error then shows the reason, and no process is left.
      expect(thrown).toMatchObject({ code: 'BROWSER_FAILED', message: expect.stringMatching(/of there ended at its start: .*\w/) });
    }
    await placedBrowser?.end();
    await expectNothingLeft();
  });

  it('reports a missing browser and what to install', async () => {
    server = await startSshServer({ hasBrowser: false });
    await expect(open()).rejects.toMatchObject({
      code: 'NO_BROWSER',
      message: 'Watching a page from there needs Chromium, Chrome or Edge there. None of them was found.',
      hint: expect.stringContaining('Install one on there (Debian and Ubuntu: apt install chromium).'),
    });
    await expectNothingLeft();
  });
});
