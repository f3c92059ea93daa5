import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { connectTo } from '#backend/remote/testing/connectTo.ts';
import { hasSshServer, type SshServer, type SshServerOptions, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { temporaryDirectory } from '#backend/testing/temporaryDirectory.ts';
import type { PlacedBrowser } from './browser.ts';
import { openHostBrowser } from './hostBrowser.ts';
import { type PageServer, startPageServer } from './testing/pageServer.ts';

let pages: PageServer;
let server: SshServer;
let placed: PlacedBrowser | undefined;
afterEach(async () => {
  await placed?.end();
  placed = undefined;
  await server.stop();
  await pages.close();
});

/** A host with these options, and a plan of a page that is served here. */
async function there(options: SshServerOptions = {}): Promise<Plan> {
  pages = await startPageServer();
  server = await startSshServer(options);
  return planSchema.parse({
    holdfast: 1,
    name: 'seen',
    targets: [{ url: pages.url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
    watchPages: [{}],
  });
}

const open = async (plan: Plan, options: Parameters<typeof openHostBrowser>[2] = {}, user: string | null = null): Promise<PlacedBrowser> =>
  (placed = await openHostBrowser(await connectTo(server, temporaryDirectory(), user), plan, options));

async function look({ browser }: PlacedBrowser): Promise<string> {
  const page = await browser.newPage();
  await page.goto(pages.url);
  return page.title();
}

/** Folders of browsers in that for temporary files of the server. */
const folders = (): string[] => readdirSync(join(server.home, '..')).filter((name) => name.startsWith('holdfast-visits-'));

/** By their profile on the command line, and by the script that watches over them. */
async function expectNothingLeft(seconds = 20): Promise<void> {
  await expect
    .poll(() => [server.pidsOf('holdfast-visits-'), server.pidsOf('--remote-debugging-pipe'), folders()], { timeout: seconds * 1_000 })
    .toEqual([[], [], []]);
  expect(readdirSync(server.home), 'in the home directory').toEqual([]);
}

describe.skipIf(!hasSshServer)('a browser of a host', { timeout: 120_000 }, () => {
  it('opens pages there, without any forwarding, and leaves nothing', async () => {
    const plan = await there({ config: ['AllowTcpForwarding no', 'AllowStreamLocalForwarding no', 'PermitListen none'] });
    const opened = await open(plan);
    expect(opened).toMatchObject({ from: 'there', name: expect.stringMatching(/^Chromium \d+/) });
    expect(await look(opened)).toBe('Shop');
    expect(pages.hosts.length).toBeGreaterThan(0);
    expect((await opened.readProcessors())?.total).toBeGreaterThan(0);
    expect(folders()).toHaveLength(1);
    expect(server.pidsOf('holdfast-visits-').length).toBeGreaterThan(0);
    await opened.end();
    expect(folders(), 'at once').toEqual([]);
    await expectNothingLeft();
  });

  it('is that of an account that is not root, with its sandbox where the system lets it have one', async () => {
    const plan = await there({ user: 'ada' });
    chmodSync(join(server.home, '..'), 0o1733);
    try {
      expect(await look(await open(plan, {}, 'ada'))).toBe('Shop');
    } catch (thrown) {
      // A container may forbid the sandbox. The reason is shown then, and nothing stays.
      expect(thrown).toMatchObject({ code: 'BROWSER_FAILED', message: expect.stringMatching(/of there ended at its start: .*\w/) });
    }
    await placed?.end();
    await expectNothingLeft();
  });

  it('is gone when the connection breaks off', async () => {
    const opened = await open(await there());
    const ended = new Promise<void>((resolve) => void opened.browser.once('disconnected', () => resolve()));
    await look(opened);
    server.cut();
    await ended;
    expect(opened.browser.isConnected()).toBe(false);
    await expectNothingLeft();
  });

  it('is gone when nobody says any more that it is wanted', async () => {
    const opened = await open(await there(), { silentRounds: 2, wantedEveryMs: 600_000 });
    await look(opened);
    await expectNothingLeft(40);
  });

  it('that was killed with its shell is removed by the next', async () => {
    const plan = await there();
    await open(plan);
    const [left] = folders();
    server.killAll('holdfast-visits-');
    await placed?.end();
    expect(folders()).toEqual([left]);
    await open(plan);
    expect(folders()).toHaveLength(1);
    expect(folders()).not.toContain(left);
  });

  it('that is not there is named, with what to install', async () => {
    const plan = await there({ hasBrowser: false });
    await expect(open(plan)).rejects.toMatchObject({
      code: 'NO_BROWSER',
      message: 'Watching a page from there needs Chromium, Chrome or Edge there. None of them was found.',
      hint: expect.stringContaining('Install one on there (Debian and Ubuntu: apt install chromium).'),
    });
    await expectNothingLeft();
  });
});
