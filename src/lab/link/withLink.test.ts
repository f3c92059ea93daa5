import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { contestLab } from '../contest/contest.ts';
import type { RunningLab } from '../lab.ts';
import { listen } from '../listen.ts';
import { openLab } from '../openLab.ts';
import { readLog } from '../readLog.ts';
import { supervised } from '../supervisor/supervisor.ts';
import { whyNot } from '../testing/needs.ts';
import { descendantsOf, living } from '../testing/processes.ts';
import { ask } from '../testing/requests.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { missingForLink, withLink } from './withLink.ts';

const run = promisify(execFile);
const reason = await whyNot((await missingForLink(process.env)).map((one) => ({ ...one, needed: true })));

const lab = withLink(contestLab);
const started: RunningLab[] = [];
async function start(given: GivenOptions): Promise<RunningLab> {
  const running = await lab.start({ 'service-ms': 0, shards: 2, ...given }, testSurroundings());
  started.push(running);
  return running;
}
afterEach(async () => {
  for (const running of started.splice(0)) await running.stop();
});

const PAGE = 'tasks/coprobber/statements/en';

/** A page of the size of the report's style sheet, and nothing that takes time. */
const BODY_BYTES = 31_966;
const sheetLab = withLink({
  name: 'sheet',
  title: 'A style sheet',
  story: 'Nothing but that.',
  options: {},
  missing: () => Promise.resolve([]),
  start: (_given, surroundings) =>
    supervised(surroundings, null, async (supervisor) => {
      const body = Buffer.alloc(BODY_BYTES, 'x');
      const server = await listen((_request, response) => void response.end(body), null);
      supervisor.onStop(() => server.close());
      return openLab(supervisor, { name: 'sheet', urls: [server.url], addresses: [], facts: {} });
    }),
});

async function sheet(bandwidth: number): Promise<string> {
  const running = await sheetLab.start({ bandwidth }, testSurroundings());
  started.push(running);
  return running.urls[0] ?? '';
}

const MOST_TRIES = 5;

/** The most of several tries, up to the first that is enough: a busy machine fills a line less, and never more. */
async function mostMegabits(url: string, [visitors, each]: readonly [number, number], enough: number): Promise<number> {
  let most = 0;
  for (let tried = 0; tried < MOST_TRIES && most <= enough; tried += 1) most = Math.max(most, await megabitsThrough(url, visitors, each));
  return most;
}

/** Bodies alone, in Mbit/s: what a load generator sees of the line. */
async function megabitsThrough(url: string, visitors: number, each: number): Promise<number> {
  let bytes = 0;
  const begunMs = performance.now();
  await Promise.all(
    Array.from({ length: visitors }, async () => {
      for (let request = 0; request < each; request += 1) {
        const { body } = await ask(url);
        bytes += body.length;
      }
    }),
  );
  expect(bytes).toBe(visitors * each * BODY_BYTES);
  return (bytes * 8) / 1_000 / (performance.now() - begunMs);
}

describe.skipIf(reason !== null)(`a line with a limit${reason === null ? '' : `: ${reason}`}`, () => {
  it('carries what it says, whoever uses it and with how many connections', async () => {
    const narrow = await sheet(10);
    // Heads, acknowledgements and the start of connections take their part; what stands in the burst passes at once.
    for (const [visitors, each] of [
      [1, 60],
      [10, 10],
    ] as const) {
      const megabits = await mostMegabits(narrow, [visitors, each], 6);
      expect(megabits).toBeGreaterThan(6);
      expect(megabits).toBeLessThan(11);
    }
    expect(await mostMegabits(await sheet(40), [10, 30], 15), 'four times the width').toBeGreaterThan(15);
  });

  it('leads a command in its network to the same addresses, and to the control', async () => {
    const { urls, control, within, accounts, logs } = await start({ bandwidth: 50 });
    expect(accounts.length).toBeGreaterThan(0);
    const script = `const [a, b] = [process.env.A, process.env.B]; Promise.all([fetch(a), fetch(b)]).then(async ([x, y]) => console.log(x.status, (await y.json()).name, (await import('node:os')).networkInterfaces().eth0 ?? 'alone'))`;
    const [file = '', ...args] = [...within, process.execPath, '-e', script];
    const { stdout } = await run(file, args, { env: { ...process.env, A: `${urls[1]}${PAGE}`, B: control } });
    expect(stdout.trim()).toMatch(/^(200|302) contest alone$|^200 contest alone$/);
    const lines = await readLog(logs['contest'] ?? '');
    expect(lines.some(({ path }) => path === `/${PAGE}`)).toBe(true);
  });

  it('carries WebSockets too', async () => {
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

  it('takes the port that was asked for, and leaves nothing when it ends', async () => {
    const before = new Set(await descendantsOf(process.pid));
    const running = await start({ bandwidth: 5 });
    const own = (await descendantsOf(process.pid)).filter((pid) => !before.has(pid));
    const port = Number(new URL(running.urls[0] ?? '').port);
    await expect(start({ bandwidth: 5, port })).rejects.toMatchObject({ code: 'PORT_IN_USE' });
    await running.stop();
    await expect.poll(() => living(own), { timeout: 30_000 }).toEqual([]);
    expect((await ask(running.urls[0] ?? '')).status).toBe(0);
    expect((await start({ bandwidth: 5, port })).urls[0]).toBe(`http://127.0.0.1:${port}/`);
  });
});

describe('where no line can be laid', () => {
  it('says so, why and what to do, and starts without', async () => {
    const surroundings = testSurroundings({ environment: { ...process.env, PATH: '/nonexistent' } });
    await expect(lab.start({ bandwidth: 0 }, surroundings)).rejects.toMatchObject({ code: 'BAD_OPTION' });
    const missing = await missingForLink({ PATH: '/nonexistent' });
    // Some machines keep the tools where they are looked for besides.
    if (missing.length === 0) return;
    expect(missing[0]).toMatchObject({ needed: false, why: expect.stringContaining('--bandwidth') });
    await expect(lab.start({ bandwidth: 5 }, surroundings)).rejects.toMatchObject({ code: 'LAB_NEEDS' });
  });
});
