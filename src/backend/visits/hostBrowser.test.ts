import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { connectTo } from '#backend/remote/testing/connectTo.ts';
import { hasSshServer, type SshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
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

async function there(options: Parameters<typeof startSshServer>[0] = {}): Promise<Plan> {
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

const connection = () => connectTo(server, temporaryDirectory());
/** Folders of browsers in that for temporary files of the server. */
const folders = (): string[] => readdirSync(join(server.home, '..')).filter((name) => name.startsWith('holdfast-visits-'));

describe.skipIf(!hasSshServer)('a browser of a host', () => {
  it('opens pages there, and leaves nothing', { timeout: 120_000 }, async () => {
    const plan = await there();
    placed = await openHostBrowser(await connection(), plan);
    expect(placed).toMatchObject({ from: 'there', name: expect.stringMatching(/^Chromium \d+/) });
    expect(folders()).toHaveLength(1);
    const context = await placed.browser.newContext();
    const page = await context.newPage();
    await page.goto(pages.url);
    expect(await page.title()).toBe('Shop');
    const processors = await placed.readProcessors();
    expect(processors?.total).toBeGreaterThan(0);
    expect(server.pidsOf('holdfast-visits-').length).toBeGreaterThan(0);
    console.log(readdirSync(server.home));
    await placed.end();
    expect([folders(), readdirSync(server.home)]).toEqual([[], []]);
    await expect.poll(() => server.pidsOf('holdfast-visits-'), { timeout: 20_000 }).toEqual([]);
  });
});
