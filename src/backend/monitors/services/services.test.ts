import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toProblem } from '#core/base/errors.ts';
import { type Catalogue, collectValues } from '#core/machines/monitors/result.ts';
import { monitorSchema, type Monitor, type MonitorOf } from '#core/plan/schema/monitors.ts';
import { findProgram } from '#lab/programs/find.ts';
import { freePort } from '#lab/freePort.ts';
import { Supervisor } from '#lab/supervisor/supervisor.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import type { MonitorSource } from '../source.ts';
import { LOCAL_WAY } from '../testing/ways.ts';
import { openCacheHeaders, openNginx, openPrometheus } from './httpServices.ts';
import { openHaproxy, openRedis } from './socketServices.ts';
import { openVarnish } from './varnish.ts';

const READY_MS = 30_000;
const cleanups: (() => void)[] = [];

let supervisor: Supervisor;
beforeAll(async () => {
  supervisor = await Supervisor.start(testSurroundings(), null);
});
afterEach(() => {
  for (const close of cleanups.splice(0)) close();
});
afterAll(() => supervisor.stop());

/** Path of each program, or how to install it. Tests whose program is missing are skipped. */
const PROGRAMS = {
  haproxy: await findProgram('haproxy', process.env),
  redis: await findProgram('redis-server', process.env),
  varnish: await findProgram('varnishd', process.env),
  nginx: await findProgram('nginx', process.env),
};
const titleWithNeed = (program: keyof typeof PROGRAMS, what: string): string =>
  PROGRAMS[program] === null
    ? `${what} (there is no ${program}: sudo apt-get install --yes ${program === 'redis' ? 'redis-server' : program})`
    : what;

/** Starts a program and waits until its port accepts connections. */
async function start(name: keyof typeof PROGRAMS, port: number, args: readonly string[]): Promise<void> {
  const program = await supervisor.program({ name, file: PROGRAMS[name] ?? name, args });
  const until = Date.now() + READY_MS;
  while (!program.hasEnded() && Date.now() < until) {
    const socket = await openSocket(port).catch(() => null);
    socket?.destroy();
    if (socket !== null) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${name} is not there: ${program.getOutput()}`);
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  cleanups.push(() => socket.destroy());
  return socket;
}

/** Starts a backend server that counts its responses and holds them until released. */
async function serverBehind(): Promise<{ readonly port: number; release(): void; readonly waiting: () => number }> {
  const held: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    const respond = (): void => void response.setHeader('cache-control', 'max-age=60').end('hello');
    if (request.url?.startsWith('/hold') === true) held.push(respond);
    else respond();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  cleanups.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    release: () => held.splice(0).forEach((respond) => respond()),
    waiting: () => held.length,
  };
}

/** Fetches a page on a new connection. */
async function fetchText(url: string): Promise<string> {
  return (await fetch(url, { headers: { connection: 'close' } })).text();
}

function parseMonitor<Kind extends Monitor['kind']>(kind: Kind, written: object): MonitorOf<Kind> {
  const parsed = monitorSchema.parse({ kind, ...written });
  return parsed as MonitorOf<Kind>;
}

async function watching(opening: Promise<MonitorSource>): Promise<MonitorSource> {
  const source = await opening;
  cleanups.push(() => source.close());
  return source;
}

/** Returns the changes between two readings around `act`, scaled as if one second lay between the readings. */
async function readChanges(source: MonitorSource, act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await source.read();
  await act();
  const after = await source.read();
  expectKnown([...Object.keys(after.gauges), ...Object.keys(after.counters)], source.catalogue);
  return collectValues({ ...before, atMs: 0 }, { ...after, atMs: 1_000 }, source.catalogue);
}

function expectKnown(keys: readonly string[], { quantities, limits = [] }: Catalogue): void {
  const ids = new Set([...quantities, ...limits].map(({ id }) => id));
  expect(keys.filter((key) => !ids.has(key.split(':')[0] ?? ''))).toEqual([]);
}

describe.skipIf(PROGRAMS.nginx === null)(titleWithNeed('nginx', 'a monitor of nginx'), () => {
  it('counts connections and requests, including its own', async () => {
    const port = await freePort();
    const configuration = join(supervisor.directory, 'status.conf');
    writeFileSync(
      configuration,
      `daemon off; worker_processes 1; pid status.pid; events { worker_connections 64; }
       http { access_log off; client_body_temp_path s1; proxy_temp_path s2; fastcgi_temp_path s3; uwsgi_temp_path s4; scgi_temp_path s5;
         server { listen 127.0.0.1:${port}; location = /status { stub_status; } location / { return 200 hello; } location = /private { deny all; } } }`,
    );
    await start('nginx', port, ['-p', supervisor.directory, '-e', 'status-error.log', '-c', configuration]);
    const url = `http://127.0.0.1:${port}`;
    const source = await watching(openNginx(parseMonitor('nginx', { url: `${url}/status`, limit: 64 }), LOCAL_WAY));
    const values = await readChanges(source, async () => {
      for (let heldCount = 0; heldCount < 5; heldCount += 1) await openSocket(port);
      for (let page = 0; page < 7; page += 1) await fetchText(url);
    });
    expect(values).toMatchObject({ 'nginx.connections': 6, 'nginx.requests': 8, 'nginx.accepts': 13, 'nginx.dropped': 0 });
    await expect(openNginx(parseMonitor('nginx', { url }), LOCAL_WAY)).rejects.toMatchObject({ code: 'MONITOR_OTHER_ANSWER' });
    await expect(openNginx(parseMonitor('nginx', { url: `${url}/private` }), LOCAL_WAY)).rejects.toMatchObject({
      code: 'MONITOR_REFUSED',
      message: expect.stringContaining('status 403'),
    });
    await expect(openNginx(parseMonitor('nginx', { url: `http://127.0.0.1:${await freePort()}/` }), LOCAL_WAY)).rejects.toMatchObject({
      code: 'MONITOR_UNREACHABLE',
      hint: expect.stringContaining('Nothing listens there'),
    });
  });
});

function haproxySettings({
  socket,
  port,
  statsPort,
  closed,
  behind,
}: Record<'port' | 'statsPort' | 'closed' | 'behind', number> & { socket: string }): string {
  return `global
  stats socket ${socket} mode 600
defaults
  mode http
  timeout connect 1s
  timeout client 5s
  timeout server 5s
frontend web
  bind 127.0.0.1:${port}
  maxconn 50
  use_backend broken if { path /broken }
  default_backend app
backend app
  server one 127.0.0.1:${behind} maxconn 2
backend broken
  retries 0
  server gone 127.0.0.1:${closed}
frontend stats
  bind 127.0.0.1:${statsPort}
  http-request use-service prometheus-exporter if { path /metrics }
  stats enable
  stats uri /stats
  stats auth me:geheim
`;
}

describe.skipIf(PROGRAMS.haproxy === null)(titleWithNeed('haproxy', 'a monitor of HAProxy'), () => {
  it('reports the same queue, sessions and errors from page, socket and exporter', async () => {
    const behind = await serverBehind();
    const [port, statsPort, closed] = [await freePort(), await freePort(), await freePort()];
    const socket = join(supervisor.directory, 'haproxy.sock');
    const configuration = join(supervisor.directory, 'haproxy.cfg');
    writeFileSync(configuration, haproxySettings({ socket, port, statsPort, closed, behind: behind.port }));
    await start('haproxy', statsPort, ['-db', '-f', configuration]);
    // HAProxy opens its ports before its socket gets its final name.
    await expect.poll(() => existsSync(socket)).toBe(true);
    const page = { address: `http://127.0.0.1:${statsPort}/stats`, user: 'me', password: 'geheim' };
    const exporter = {
      url: `http://127.0.0.1:${statsPort}/metrics`,
      metrics: ['haproxy_backend_http_responses_total{proxy="broken",code="5xx"}', 'haproxy_backend_current_queue{proxy="app"}'],
    };
    const sources = await Promise.all([
      watching(openHaproxy(parseMonitor('haproxy', page), LOCAL_WAY)),
      watching(openHaproxy(parseMonitor('haproxy', { address: socket }), LOCAL_WAY)),
    ]);
    const metrics = await watching(openPrometheus(parseMonitor('prometheus', exporter), LOCAL_WAY));
    const fetchPage = (path: string): Promise<string> => fetchText(`http://127.0.0.1:${port}${path}`);
    const before = await metrics.read();
    let responses: Promise<string>[] = [];
    const values = await readChanges(sources[0], async () => {
      await Promise.all([fetchPage('/broken'), fetchPage('/broken'), fetchPage('/broken')]);
      responses = Array.from({ length: 5 }, () => fetchPage('/hold'));
      const readQueue = async (): Promise<number> => Number((await sources[1].read()).gauges['haproxy.queue:app']);
      await expect.poll(readQueue).toBe(3);
    });
    expect(values).toMatchObject({
      'haproxy.queue:app': 3,
      'haproxy.sessions:app/one': 2,
      'haproxy.sessions:web (in)': 5,
      'haproxy.connectionErrors:broken': 3,
      'haproxy.answers5xx:broken': 3,
      'haproxy.requests:web (in)': 8,
      'haproxy.servers:app': 1,
    });
    expect(sources[0].limits?.()).toContainEqual({ chart: 'Sessions', value: 2, words: 'maxconn of app/one', instance: 'app/one' });
    expect((await sources[1].read()).gauges).toMatchObject({ 'haproxy.queue:app': 3, 'haproxy.queue:broken': 0 });
    expect(collectValues({ ...before, atMs: 0 }, { ...(await metrics.read()), atMs: 1_000 }, metrics.catalogue)).toEqual({
      'prometheus.1': 3,
      'prometheus.2': 3,
    });
    behind.release();
    await expect.poll(behind.waiting).toBe(2);
    behind.release();
    await expect.poll(behind.waiting).toBe(1);
    behind.release();
    await Promise.all(responses);
    await expect(openHaproxy(parseMonitor('haproxy', { ...page, password: 'other' }), LOCAL_WAY)).rejects.toMatchObject({
      code: 'MONITOR_REFUSED',
      hint: expect.stringContaining('needs a login'),
    });
    await expect(
      openPrometheus(parseMonitor('prometheus', { ...exporter, metrics: ['haproxy_backend_queue'] }), LOCAL_WAY),
    ).rejects.toMatchObject({ code: 'MONITOR_NO_METRIC', hint: expect.stringContaining('haproxy_backend_current_queue') });
  });
});

describe.skipIf(PROGRAMS.redis === null)(titleWithNeed('redis', 'a monitor of Redis'), () => {
  const password = 'a secret: with spaces ' + String.fromCodePoint(228);

  it('reports clients and the hit rate, and never shows the password', async () => {
    const port = await freePort();
    await start('redis', port, ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--maxclients', '40', '--requirepass', password]);
    const address = `127.0.0.1:${port}`;
    const source = await watching(openRedis(parseMonitor('redis', { address, password }), LOCAL_WAY));
    const values = await readChanges(source, async () => {
      const client = await openSocket(port);
      client.write(`AUTH "${password}"\r\nSET a 1\r\nGET a\r\nGET a\r\nGET a\r\nGET b\r\n`);
      let received = '';
      for await (const piece of client.iterator({ destroyOnReturn: false })) if ((received += String(piece)).endsWith('$-1\r\n')) break;
    });
    expect(values).toMatchObject({
      'redis.clients': 2,
      'redis.hits': 3,
      'redis.misses': 1,
      'redis.hitShare': 0.75,
      'redis.connections': 1,
    });
    for (const wrong of [undefined, 'not-the-password']) {
      const refusal = await openRedis(parseMonitor('redis', { address, password: wrong }), LOCAL_WAY).catch(toProblem);
      expect(refusal).toMatchObject({ code: 'MONITOR_REFUSED' });
      expect(JSON.stringify(refusal)).not.toContain('not-the-password');
    }
  });
});

describe.skipIf(PROGRAMS.varnish === null)(titleWithNeed('varnish', 'a monitor of Varnish'), () => {
  it('reports hits, misses and threads', async () => {
    const behind = await serverBehind();
    const port = await freePort();
    const instance = join(supervisor.directory, 'varnish');
    mkdirSync(instance);
    const threads = ['-p', 'thread_pools=1', '-p', 'thread_pool_min=10'];
    await start('varnish', port, [
      '-F',
      '-n',
      instance,
      '-a',
      `127.0.0.1:${port}`,
      '-b',
      `127.0.0.1:${behind.port}`,
      '-T',
      'none',
      ...threads,
    ]);
    const source = await watching(openVarnish(parseMonitor('varnish', { instance, limit: 5_000 }), LOCAL_WAY));
    const values = await readChanges(source, async () => {
      for (const path of ['/a', '/a', '/a', '/b']) await fetchText(`http://127.0.0.1:${port}${path}`);
      // A Varnish thread adds its counts to the totals only when it is idle.
      const requests = async (): Promise<number> => (await source.read()).counters['varnish.requests'] ?? 0;
      await expect.poll(requests, { timeout: 30_000 }).toBe(4);
    });
    expect(values).toMatchObject({ 'varnish.hits': 2, 'varnish.misses': 2, 'varnish.hitShare': 0.5, 'varnish.requests': 4 });
    expect(values['varnish.threads']).toBeGreaterThanOrEqual(10);
    const page = parseMonitor('cacheHeaders', { url: `http://127.0.0.1:${port}/a` });
    const pages = await watching(openCacheHeaders(page, LOCAL_WAY));
    expect((await pages.read()).gauges).toMatchObject({ 'cacheHeaders.fromCache': 1 });
    const silent = parseMonitor('cacheHeaders', { url: `http://127.0.0.1:${behind.port}/` });
    await expect(openCacheHeaders(silent, LOCAL_WAY)).rejects.toMatchObject({ code: 'MONITOR_OTHER_ANSWER' });
    await expect(openVarnish(parseMonitor('varnish', { instance: `${instance}-other` }), LOCAL_WAY)).rejects.toMatchObject({
      code: 'MONITOR_COMMAND',
    });
  });
});
