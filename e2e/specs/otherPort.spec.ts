import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { expect, test } from '../fixtures.ts';

/** Starts a server on another port of 127.0.0.1 that records its requests. Browsers send cookies to all ports of a host. */
async function listeningTarget() {
  const received: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>x</title><h1>A target</h1></html>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, received, close: () => server.close() };
}

/** Returns the reply to a first call with forged Origin and Host, or null if the connection is rejected or closed. */
function callAs(origin: string, cookie: string): Promise<string | null> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, { headers: { origin, host: new URL(origin).host, cookie } });
  return new Promise((resolve) => {
    socket.on('open', () => socket.send(JSON.stringify({ type: 'call', id: 1, method: 'app.info', input: {} })));
    socket.on('message', (data) => {
      resolve(String(data));
      socket.close();
    });
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(null));
  });
}

test('a target on another port of this computer cannot access the backend with what the browser sends to the target', async ({
  app,
  server,
}) => {
  const target = await listeningTarget();
  try {
    await app.page.goto(target.url);
    await expect(app.page.getByRole('heading', { name: 'A target' })).toBeVisible();
    const { origin, hash } = new URL(server.urls[0] ?? '');
    const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(target.received).not.toHaveLength(0);
    expect(JSON.stringify(target.received)).not.toContain(token);
    for (const { cookie } of target.received) expect(await callAs(origin, cookie ?? '')).toBeNull();
    expect(await app.page.context().cookies()).toEqual([]);
  } finally {
    target.close();
  }
});
