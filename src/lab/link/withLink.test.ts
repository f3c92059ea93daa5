import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { contestLab } from '../contest/contest.ts';
import { freePort } from '../freePort.ts';
import type { RunningLab } from '../lab.ts';
import { readLog } from '../readLog.ts';
import { whyNot } from '../testing/needs.ts';
import { descendantsOf, filterAlive } from '../testing/processes.ts';
import { ask } from '../testing/requests.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { missingForLink, withLink } from './withLink.ts';

const run = promisify(execFile);
const reason = await whyNot((await missingForLink(process.env)).map((one) => ({ ...one, needed: true })));

const lab = withLink(contestLab);
const startedLabs: RunningLab[] = [];
async function start(givenOptions: GivenOptions): Promise<RunningLab> {
  const runningLab = await lab.start({ 'service-ms': 0, shards: 2, ...givenOptions }, testSurroundings());
  startedLabs.push(runningLab);
  return runningLab;
}
afterEach(async () => {
  for (const runningLab of startedLabs.splice(0)) await runningLab.stop();
});

const PAGE = 'tasks/coprobber/statements/en';

describe.skipIf(reason !== null)(`a line with a limit${reason === null ? '' : `: ${reason}`}`, () => {
  it('gives a command in its network the same addresses and control address', async () => {
    const { urls, control, within, accounts, logs } = await start({ bandwidth: 50 });
    expect(accounts.length).toBeGreaterThan(0);
    const script = `const [a, b] = [process.env.A, process.env.B]; Promise.all([fetch(a), fetch(b)]).then(async ([x, y]) => console.log(x.status, (await y.json()).name, (await import('node:os')).networkInterfaces().eth0 ?? 'alone'))`;
    const [file = '', ...args] = [...within, process.execPath, '-e', script];
    const { stdout } = await run(file, args, { env: { ...process.env, A: `${urls[1]}${PAGE}`, B: control } });
    expect(stdout.trim()).toMatch(/^(200|302) contest alone$|^200 contest alone$/);
    // A line may be written to the log only after its response was read.
    await expect.poll(() => readLog(logs['contest'] ?? '')).toContainEqual(expect.objectContaining({ path: `/${PAGE}` }));
  });

  it('carries WebSockets', async () => {
    const { addresses, urls } = await start({ bandwidth: 50, chat: true });
    const url = addresses.find(({ label }) => label === 'Chat')?.url ?? '';
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/chat$/);
    expect(urls.map((one) => new URL(one).host)).not.toContain(new URL(url).host);
    const socket = new WebSocket(url);
    await once(socket, 'open');
    socket.send('over the line');
    expect(JSON.parse(String((await once(socket, 'message'))[0]))).toMatchObject({ number: 1, text: 'over the line' });
    socket.terminate();
  });

  it('uses the requested port, and leaves nothing behind', async () => {
    const before = new Set(await descendantsOf(process.pid));
    const port = await freePort();
    const runningLab = await start({ bandwidth: 5, port });
    const own = (await descendantsOf(process.pid)).filter((pid) => !before.has(pid));
    expect(runningLab.urls[0]).toBe(`http://127.0.0.1:${port}/`);
    await expect(start({ bandwidth: 5, port })).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    await runningLab.stop();
    await expect.poll(() => filterAlive(own), { timeout: 30_000 }).toEqual([]);
    expect((await ask(runningLab.urls[0] ?? '')).status).toBe(0);
    expect((await start({ bandwidth: 5, port })).urls[0]).toBe(`http://127.0.0.1:${port}/`);
  });
});

describe('a machine without the tools for a limited line', () => {
  it('explains what is missing, and starts only without a limit', async () => {
    const surroundings = testSurroundings({ environment: { ...process.env, PATH: '/nonexistent' } });
    await expect(lab.start({ bandwidth: 0 }, surroundings)).rejects.toMatchObject({ code: 'BAD_OPTION' });
    const missing = await missingForLink({ PATH: '/nonexistent' });
    // Some machines have the tools in other folders that are searched too.
    if (missing.length === 0) return;
    expect(missing[0]).toMatchObject({ needed: false, why: expect.stringContaining('--bandwidth') });
    await expect(lab.start({ bandwidth: 5 }, surroundings)).rejects.toMatchObject({ code: 'LAB_NEEDS' });
  });
});
