import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Agent } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { runningLabSchema, type GivenOptions } from '#core/base/lab/listing.ts';
import { labEntry } from '#tools/testing/threads.ts';
import type { RunningLab } from '../lab.ts';
import { descendantsOf, filterAlive } from '../testing/processes.ts';
import { ask, sendBurst, countStatuses } from '../testing/requests.ts';
import { nodeVsGunicornLab } from './lab.ts';
import { addressOf, waitForLogLines, getLog, QUICK, lackReason, surroundings } from './testing/logged.ts';

describe.skipIf(lackReason !== null)(`the practice server node-vs-gunicorn${lackReason === null ? '' : `: ${lackReason}`}`, () => {
  let lab: RunningLab;
  let pids: number[];
  beforeAll(async () => {
    const before = await descendantsOf(process.pid);
    lab = await nodeVsGunicornLab.start(QUICK, surroundings);
    pids = (await descendantsOf(process.pid)).filter((pid) => !before.includes(pid));
  });
  afterAll(() => lab?.stop());

  it('responds under three prefixes, with every request in the logs of the responding server and of nginx', async () => {
    for (const label of ['Node', 'gunicorn', 'Node ×']) {
      const url = addressOf(lab, label);
      for (const [page, text] of [
        ['', 'pong\n'],
        ['ping', 'pong\n'],
        ['timeout', 'waited\n'],
        ['heavy', 'worked\n'],
      ] as const)
        expect([label, await ask(`${url}${page}`)]).toMatchObject([label, { status: 200, body: text }]);
      expect(await ask(`${url}nothing`)).toMatchObject({ status: 404 });
      expect(countStatuses(await sendBurst(`${url}ping?for=count`, 30))).toEqual({ 200: 30 });
    }
    await waitForLogLines(lab, 'node', '/ping?for=count', 30);
    await waitForLogLines(lab, 'gunicorn', '/ping?for=count', 30);
    await waitForLogLines(lab, 'nginx', '/ping?for=count', 90);
    for (const replica of ['replica-1', 'replica-2', 'replica-3']) await waitForLogLines(lab, replica, '/ping?for=count', 10);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const directory = dirname(dirname(lab.logs['nginx'] ?? ''));
    expect(existsSync(directory)).toBe(true);
    // The processes are: watchdog, Node, three replicas, two mystery servers, gunicorn and its worker, nginx and its worker.
    expect(filterAlive(pids).length).toBeGreaterThanOrEqual(11);
    const urls = [...lab.addresses.map(({ url }) => url), lab.control];
    await lab.stop();
    expect(filterAlive(pids)).toEqual([]);
    expect(existsSync(directory)).toBe(false);
    expect((await Promise.all(urls.map((url) => ask(url)))).map(({ status }) => status)).toEqual(urls.map(() => 0));
  });
});

// The tests run concurrently, because each waits for its own servers and none judges a maximum time.
describe.skipIf(lackReason !== null).concurrent(`node-vs-gunicorn with faults${lackReason === null ? '' : `: ${lackReason}`}`, () => {
  async function start({ onTestFinished }: TestContext, givenOptions: GivenOptions): Promise<RunningLab> {
    const lab = await nodeVsGunicornLab.start({ ...QUICK, replicas: 1, ...givenOptions }, surroundings);
    onTestFinished(() => lab.stop());
    return lab;
  }

  it('responds with 500 when open connections use up the file descriptors of nginx', async (context) => {
    const lab = await start(context, { scale: 10, descriptors: 64, 'missing-after': 100 });
    const agents = Array.from({ length: 80 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const responses = [];
    for (const agent of agents) responses.push(await ask(`${addressOf(lab, 'Node')}ping`, agent));
    for (const agent of agents) agent.destroy();
    const { 200: good = 0, 500: failed = 0 } = countStatuses(responses);
    expect(good).toBeGreaterThan(20);
    expect(good).toBeLessThan(64);
    expect(failed).toBeGreaterThan(0);
  });

  it('lets requests that find the queue of gunicorn full time out together with those in the queue', async (context) => {
    const lab = await start(context, { scale: 1, 'service-ms': 6_000, backlog: 1, 'proxy-timeout-ms': 500 });
    // One request is processed for six seconds and two wait. The kernel does not accept the other connections, which are retried until
    // there is room.
    const responses = await sendBurst(`${addressOf(lab, 'gunicorn')}timeout`, 12);
    expect(countStatuses(responses)).toEqual({ 504: 12 });
    expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(5_000);
  });

  it('holds connections from slow clients, and loses pages after a number of requests', async (context) => {
    const lab = await start(context, { 'slow-clients': 30, 'missing-after': 5 });
    expect(await sendBurst(`${addressOf(lab, 'Node')}ping`, 5)).toMatchObject(Array.from({ length: 5 }, () => ({ status: 200 })));
    expect(await ask(`${addressOf(lab, 'Node')}ping`)).toMatchObject({ status: 404 });
  });

  it.for([
    ['python', 500, 1],
    ['native', 502, 2],
  ] as const)('kills workers that wait in %s longer than their limit, and responds with %i', async ([waitsIn, status, looks], context) => {
    const lab = await start(context, {
      'waits-in': waitsIn,
      'worker-timeout-s': 1,
      'service-ms': 250_000,
      'proxy-timeout-ms': 500_000,
      workers: 2,
      replicas: 1,
    });
    const [killed, quick] = await Promise.all([ask(`${addressOf(lab, 'gunicorn')}timeout`), ask(`${addressOf(lab, 'gunicorn')}ping`)]);
    expect([killed.status, quick.status]).toEqual([status, 200]);
    expect(killed.ms).toBeGreaterThan(looks === 1 ? 990 : 1_900);
    expect((await ask(`${addressOf(lab, 'gunicorn')}ping`)).status).toBe(200);
  });

  it('restarts workers after a number of requests, which takes their boot time', async (context) => {
    const lab = await start(context, { 'max-requests': 3, 'boot-ms': 700, workers: 1, replicas: 1 });
    const ping = `${addressOf(lab, 'gunicorn')}ping`;
    for (let request = 1; request <= 2; request += 1) await ask(ping);
    // The worker may restart before this process has noticed the end of the last response.
    const beganMs = performance.now();
    for (let request = 3; request <= 4; request += 1) await ask(ping);
    expect(performance.now() - beganMs).toBeGreaterThan(690);
    expect(await getLog(lab, 'gunicorn')).toHaveLength(4);
  });
});

describe.skipIf(lackReason !== null)(`node-vs-gunicorn as a child process${lackReason === null ? '' : `: ${lackReason}`}`, () => {
  it('ends with all its processes when it is killed', async () => {
    const child = spawn(process.execPath, [fileURLToPath(labEntry), 'node-vs-gunicorn', JSON.stringify({ ...QUICK, replicas: 1 })], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const [line] = await once(createInterface(child.stdout), 'line');
    const { addresses, control } = runningLabSchema.parse(JSON.parse(String(line)));
    const response = once(createInterface(child.stdout), 'line');
    child.stdin.write('reveal\n');
    expect(JSON.parse(String((await response)[0]))).toMatchObject({ secrets: [{ label: 'Mystery 1' }, { label: 'Mystery 2' }] });
    const pids = await descendantsOf(child.pid ?? 0);
    expect(filterAlive(pids).length).toBeGreaterThanOrEqual(8);
    child.kill('SIGKILL');
    await expect.poll(() => filterAlive(pids), { timeout: 30_000 }).toEqual([]);
    for (const { url } of [...addresses, { url: control }]) expect(await ask(url)).toMatchObject({ status: 0 });
  });

  it('explains invalid options', async () => {
    await expect(nodeVsGunicornLab.start({ workers: 'many', scale: 0, colour: 'red' }, surroundings)).rejects.toMatchObject({
      code: 'BAD_OPTION',
      hint: expect.stringMatching(/--colour[\s\S]*--scale[\s\S]*--workers/),
    });
    await expect(nodeVsGunicornLab.start({ logs: '/dev/null/logs' }, surroundings)).rejects.toMatchObject({ code: 'LOG_NOT_WRITABLE' });
  });
});
