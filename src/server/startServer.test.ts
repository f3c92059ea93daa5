import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createClient } from '#contract/rpc/client.ts';
import { webSocketPort } from './webSocketPort.ts';
import { ask, servedPage, signIn, type ServedPage } from './testing/servedPage.ts';

interface Attempt {
  readonly origin?: string;
  readonly cookie?: string;
  readonly host?: string;
  readonly path?: string;
}

/** Opens a WebSocket and gives it, or the status with which it was refused. */
async function openSocket({ server }: ServedPage, { origin, cookie, host, path = '/rpc' }: Attempt): Promise<WebSocket | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, {
    headers: { ...(origin && { origin }), ...(cookie && { cookie }), ...(host && { host }) },
  });
  return await new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once('error', reject);
  });
}

describe('a browser that opens the printed address', () => {
  it('trades the token for a cookie, loses it from the address, and gets the page', async () => {
    await using page = await servedPage();
    const { port, url } = page.server;
    const first = await ask(port, url.slice(url.indexOf('/?')));
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe('/');
    expect(first.headers['set-cookie']?.[0]).toMatch(/^holdfast-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(first.headers['set-cookie']?.[0]).not.toContain(new URL(url).searchParams.get('token'));

    const cookie = await signIn(page.server);
    const second = await ask(port, '/', { cookie });
    expect(second).toMatchObject({ status: 200, body: '<!doctype html><title>Holdfast</title>' });
    expect(second.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(second.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/);
    const script = await ask(port, '/assets/index-1.js', { cookie });
    expect(script.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8' });
    expect(script.headers['cache-control']).toContain('immutable');
  });

  it('finds the app again at an address inside it', async () => {
    await using page = await servedPage();
    const cookie = await signIn(page.server);
    expect((await ask(page.server.port, '/runs/01JABC', { cookie })).body).toContain('<title>Holdfast</title>');
  });

  it('talks to the backend', async () => {
    await using page = await servedPage();
    const socket = await openSocket(page, { origin: `http://127.0.0.1:${page.server.port}`, cookie: await signIn(page.server) });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    const client = createClient(webSocketPort(socket));
    expect((await client.call('app.info', {})).hostname).toBe('here');
  });
});

describe('someone without the token', () => {
  it('is told in words where to find it, and gets nothing else', async () => {
    await using page = await servedPage();
    for (const [path, headers] of [
      ['/', {}],
      ['/?token=', {}],
      ['/?token=guess', {}],
      ['/assets/index-1.js', {}],
      ['/', { cookie: `holdfast-${page.server.port}=guess` }],
      ['/', { cookie: `holdfast-${page.server.port}=` }],
    ] as const) {
      const answer = await ask(page.server.port, path, headers);
      expect(answer.status).toBe(401);
      expect(answer.body).toContain('Open the whole address that Holdfast printed');
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });

  it('opens no connection to the backend', async () => {
    await using page = await servedPage();
    const origin = `http://127.0.0.1:${page.server.port}`;
    expect(await openSocket(page, { origin })).toBe(401);
    expect(await openSocket(page, { origin, cookie: `holdfast-${page.server.port}=guess` })).toBe(401);
    expect(page.connections).toHaveLength(0);
  });

  it('a token from an earlier start does not work', async () => {
    let old: string;
    {
      await using earlier = await servedPage();
      old = new URL(earlier.server.url).search;
    }
    await using page = await servedPage();
    expect((await ask(page.server.port, `/${old}`)).status).toBe(401);
  });
});

describe('a page on the internet', () => {
  it('cannot open the WebSocket through its visitor, whose browser would send the cookie', async () => {
    await using page = await servedPage();
    const cookie = await signIn(page.server);
    expect(await openSocket(page, { origin: 'https://evil.example', cookie })).toBe(403);
    expect(await openSocket(page, { origin: 'null', cookie })).toBe(403);
    expect(await openSocket(page, { cookie })).toBe(403);
    expect(page.connections).toHaveLength(0);
  });

  it('cannot read us by letting its own name point to 127.0.0.1', async () => {
    await using page = await servedPage();
    const { port } = page.server;
    const cookie = await signIn(page.server);
    const host = `evil.example:${port}`;
    expect((await ask(port, '/', { host, cookie })).status).toBe(421);
    expect((await ask(port, new URL(page.server.url).search, { host })).headers['set-cookie']).toBeUndefined();
    expect(await openSocket(page, { host, origin: `http://${host}`, cookie })).toBe(403);
  });

  it('cannot put us in a frame, and gets no readable answer from another origin', async () => {
    await using page = await servedPage();
    const { headers } = await ask(page.server.port, '/');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('the way in is no open redirect', async () => {
    await using page = await servedPage();
    const { search } = new URL(page.server.url);
    for (const path of [`//evil.example/${search}`, `/\\evil.example/${search}`, `http://evil.example/${search}`]) {
      const { status, headers } = await ask(page.server.port, path);
      expect({ path, status, location: headers.location }).toEqual({ path, status: 404, location: undefined });
    }
  });
});

describe('someone who is in', () => {
  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/link.txt',
    '/nothing.txt',
    '/assets.d/',
  ])('gets nothing from outside the folder: %s', async (path) => {
    await using page = await servedPage();
    const answer = await ask(page.server.port, path, { cookie: await signIn(page.server) });
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('a secret');
  });

  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])('cannot %s', async (method) => {
    await using page = await servedPage();
    const answer = await ask(page.server.port, '/', { cookie: await signIn(page.server) }, method);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET');
  });

  it('opens a WebSocket at one address only, and is put out for binary or oversized frames', async () => {
    await using page = await servedPage();
    const origin = `http://127.0.0.1:${page.server.port}`;
    const cookie = await signIn(page.server);
    expect(await openSocket(page, { origin, cookie, path: '/other' })).toBe(404);
    for (const [message, code] of [
      [Buffer.from('binary'), 1003],
      ['x'.repeat(9_000_000), 1009],
    ] as const) {
      const socket = await openSocket(page, { origin, cookie });
      if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
      socket.on('error', () => {});
      socket.send(message);
      const [closedWith] = await once(socket, 'close');
      expect(closedWith).toBe(code);
    }
  });
});

describe('the server', () => {
  it('is not reachable from other machines', async () => {
    await using page = await servedPage();
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address && !address.internal && address.family === 'IPv4');
    // 127.0.0.2 reaches this machine as well, but only a server that listens on every address answers there.
    for (const host of ['127.0.0.2', ...outside.map((address) => address?.address ?? '')]) {
      const socket = connect({ host, port: page.server.port });
      const [error] = await once(socket, 'error');
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    }
  });

  it('keeps its address where only this user reads it, and only while it runs', async () => {
    const page = await servedPage();
    const file = join(page.dataDirectory, 'web', `${page.server.port}.url`);
    expect(await readFile(file, 'utf8')).toBe(`${page.server.url}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await page.server.close();
    expect(await readdir(join(page.dataDirectory, 'web'))).toEqual([]);
    await page[Symbol.asyncDispose]();
  });

  it('says what to do when its port is taken', async () => {
    await using page = await servedPage();
    await expect(servedPage({ port: page.server.port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      message: expect.stringContaining(String(page.server.port)),
      hint: expect.stringContaining('--port'),
    });
  });

  it('says what to do when the page was not built', async () => {
    await expect(servedPage({ uiDirectory: '/nonexistent' })).rejects.toMatchObject({
      code: 'UI_MISSING',
      hint: expect.stringContaining('npm run build'),
    });
  });

  it('lets go of everything when it is closed, connections included', async () => {
    const page = await servedPage();
    const socket = await openSocket(page, { origin: `http://127.0.0.1:${page.server.port}`, cookie: await signIn(page.server) });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    const gone = once(socket, 'close');
    await page.server.close();
    await gone;
    await expect(ask(page.server.port, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await page[Symbol.asyncDispose]();
    expect(existsSync(page.directory)).toBe(false);
  });
});
