import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '#contract/rpc/client.ts';
import { webSocketPort } from './webSocketPort.ts';
import { ask, openSocket, servedPageWithoutBackend, servedPage, openAdmittedSocket, makeToken } from './testing/servedPage.ts';

describe('a browser that opens the printed address', () => {
  it('gets the page, and sends the token in no request', async () => {
    await using page = await servedPage();
    const { port, url } = page.server;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/);
    const first = await ask(port, '/');
    expect(first).toMatchObject({ status: 200, body: '<!doctype html><title>Holdfast</title>' });
    expect(first.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'origin-agent-cluster': '?1',
    });
    expect(first.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/);
    const script = await ask(port, '/assets/index-1.js');
    expect(script.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8' });
    expect(script.headers['cache-control']).toContain('immutable');
  });

  it('gets no cookie', async () => {
    await using page = await servedPage();
    const { port, url } = page.server;
    for (const path of ['/', '/runs/1', '/nothing.txt', `/?token=${makeToken(page.server)}`, new URL(url).pathname]) {
      expect((await ask(port, path)).headers['set-cookie']).toBeUndefined();
    }
  });

  it('gets the app at addresses inside the app, too', async () => {
    await using page = await servedPage();
    expect((await ask(page.server.port, '/runs/01JABC')).body).toContain('<title>Holdfast</title>');
  });

  it('is redirected from localhost to the only origin, and cannot open a WebSocket at localhost', async () => {
    await using page = await servedPage();
    const { port } = page.server;
    const response = await ask(port, '/', { host: `localhost:${port}` });
    expect([response.status, response.headers.location]).toEqual([307, `http://127.0.0.1:${port}/`]);
    expect(await openSocket(page.server, { host: `localhost:${port}` })).toBe(403);
  });

  it('connects to the backend', async () => {
    await using page = await servedPage();
    const client = createClient(webSocketPort(await openAdmittedSocket(page.server)));
    expect((await client.call('app.info', {})).hostname).toBe('here');
  });
});

describe('a page that is opened before the backend exists', () => {
  it('gets its files, and is admitted when the backend starts', async () => {
    await using page = await servedPageWithoutBackend({
      index: '<script src="/assets/index-1.js"></script><link href="/assets/index-2.css">',
    });
    const { firstVisit, port } = page.server;
    let isVisited = false;
    void firstVisit.then(() => (isVisited = true));
    for (const path of ['/', '/assets/index-2.css', '/assets/index-1.js']) {
      expect(isVisited).toBe(false);
      await ask(port, path);
    }
    await firstVisit;
    const opening = openAdmittedSocket(page.server);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(page.connections).toEqual([]);
    await page.server.serve(page.backend);
    const client = createClient(webSocketPort(await opening));
    expect((await client.call('app.info', {})).hostname).toBe('here');
  });

  it('is disconnected if the backend never starts', async () => {
    await using page = await servedPageWithoutBackend();
    const opening = openSocket(page.server);
    await page.server.firstVisit;
    await page.server.close();
    await expect(opening).rejects.toThrow();
  });

  it.each(['http://evil.example', null])('is rejected at once if its origin is %s', async (origin) => {
    await using page = await servedPageWithoutBackend();
    expect(await openSocket(page.server, { origin })).toBe(403);
  });
});

describe('a page on the internet', () => {
  it("cannot open the WebSocket through a visitor's browser", async () => {
    await using page = await servedPage();
    for (const origin of ['https://evil.example', 'null', null]) expect(await openSocket(page.server, { origin })).toBe(403);
    expect(page.connections).toHaveLength(0);
  });

  it('cannot read responses under a name that resolves to 127.0.0.1', async () => {
    await using page = await servedPage();
    const { port } = page.server;
    const host = `evil.example:${port}`;
    expect((await ask(port, '/', { host })).status).toBe(421);
    expect(await openSocket(page.server, { host, origin: `http://${host}` })).toBe(403);
  });

  it('cannot frame the app, and cannot read responses from another origin', async () => {
    await using page = await servedPage();
    const { headers } = await ask(page.server.port, '/');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('is never the target of a redirect', async () => {
    await using page = await servedPage();
    const { port } = page.server;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      for (const path of ['//evil.example/', '/\\evil.example/', 'http://evil.example/']) {
        const { status, headers } = await ask(port, path, { host });
        expect({ path, status, location: headers.location }).toEqual({ path, status: 404, location: undefined });
      }
    }
  });
});

describe('a client', () => {
  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/../../secret.txt',
    '/link.txt',
    '/nothing.txt',
    '/assets.d/',
  ])('gets no file from outside the folder: %s', async (path) => {
    await using page = await servedPage();
    const response = await ask(page.server.port, path);
    expect(response.status).toBe(404);
    expect(response.body).not.toContain('a secret');
  });

  it.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])('cannot %s', async (method) => {
    await using page = await servedPage();
    const response = await ask(page.server.port, '/', {}, method);
    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe('GET');
  });

  it('can open a WebSocket at only one address, and is disconnected after binary or oversized frames', async () => {
    await using page = await servedPage();
    expect(await openSocket(page.server, { path: '/other' })).toBe(404);
    for (const [message, code] of [
      [Buffer.from('binary'), 1003],
      ['x'.repeat(9_000_000), 1009],
    ] as const) {
      const socket = await openAdmittedSocket(page.server);
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
    // A server that listens on all addresses would also respond at 127.0.0.2.
    for (const host of ['127.0.0.2', ...outside.map((address) => address?.address ?? '')]) {
      const socket = connect({ host, port: page.server.port });
      const [error] = await once(socket, 'error');
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    }
  });

  it('stores its address in a file that only this user can read, and only while it runs', async () => {
    const page = await servedPage();
    const file = join(page.dataDirectory, 'web', `${page.server.port}.url`);
    expect(await readFile(file, 'utf8')).toBe(`${page.server.url}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await page.server.close();
    expect(await readdir(join(page.dataDirectory, 'web'))).toEqual([]);
    // When the first server closes, the file may belong to another server on the same port.
    await writeFile(file, 'of another');
    await page.server.close();
    expect(await readFile(file, 'utf8')).toBe('of another');
    await page[Symbol.asyncDispose]();
  });

  it('removes the addresses of killed servers', async () => {
    await using other = await servedPage();
    await using page = await servedPageWithoutBackend();
    const web = join(page.dataDirectory, 'web');
    await mkdir(web, { recursive: true });
    const going = `${other.server.port}.url`;
    for (const name of ['1.url', going, 'notes.txt']) await writeFile(join(web, name), 'left');
    await page.server.serve(page.backend);
    expect((await readdir(web)).toSorted()).toEqual([going, `${page.server.port}.url`, 'notes.txt'].toSorted());
  });

  it('serves the page even if many rejected clients keep their connections open', { timeout: 30_000 }, async () => {
    await using page = await servedPage();
    const { port } = page.server;
    const sockets = Array.from({ length: 520 }, () => connect({ host: '127.0.0.1', port, allowHalfOpen: true }).on('error', () => {}));
    for (const socket of sockets) {
      socket.resume();
      socket.write(
        `GET /rpc HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://elsewhere.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
    }
    const refused = sockets.slice(0, 400).map((socket) => socket.readableEnded || once(socket, 'end'));
    await Promise.all(refused);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await ask(port, '/')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('explains a port in use', async () => {
    await using page = await servedPage();
    await expect(servedPage({ port: page.server.port })).rejects.toMatchObject({
      code: 'PORT_IN_USE',
      message: expect.stringContaining(String(page.server.port)),
      hint: expect.stringContaining('--port'),
    });
  });

  it('explains a missing build of the page', async () => {
    await expect(servedPage({ uiDirectory: '/nonexistent' })).rejects.toMatchObject({
      code: 'UI_MISSING',
      hint: expect.stringContaining('npm run build'),
    });
  });

  it('closes everything, including connections', async () => {
    await using page = await servedPage();
    const socket = await openAdmittedSocket(page.server);
    const gone = once(socket, 'close');
    await page.server.close();
    await gone;
    await expect(ask(page.server.port, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
