import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { keepAlive, webSocketPort } from './webSocketPort.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const step of cleanUp.splice(0)) step();
});

async function openPair(options: { readonly autoPong: boolean }): Promise<{ near: WebSocket; far: WebSocket }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const far = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  const [near] = (await once(server, 'connection')) as [WebSocket];
  if (far.readyState !== far.OPEN) await once(far, 'open');
  cleanUp.push(() => {
    far.terminate();
    server.close();
  });
  return { near, far };
}

describe('webSocketPort', () => {
  it('carries text in both directions, reports once that it was closed, and then drops frames that are to be sent', async () => {
    const { near, far } = await openPair({ autoPong: true });
    const [ours, theirs] = [webSocketPort(near), webSocketPort(far)];
    const received = Promise.withResolvers<string>();
    theirs.onFrame(received.resolve);
    ours.send('{"ä":1}');
    expect(await received.promise).toBe('{"ä":1}');
    let closed = 0;
    ours.onClose(() => (closed += 1));
    const gone = once(near, 'close');
    theirs.close();
    await gone;
    expect(closed).toBe(1);
    expect(() => ours.send('late')).not.toThrow();
  });

  it('counts what the other end has not read yet', async () => {
    const { near, far } = await openPair({ autoPong: true });
    const ours = webSocketPort(near);
    far.pause();
    expect(ours.unsentBytes).toBe(0);
    for (let sentCount = 0; sentCount < 20; sentCount += 1) ours.send('x'.repeat(1_000_000));
    expect(ours.unsentBytes).toBeGreaterThan(1_000_000);
  });
});

describe('a client that sends requests but does not read', () => {
  it('is read from again once it has read the responses', async () => {
    const { near, far } = await openPair({ autoPong: true });
    const ours = webSocketPort(near);
    let requestCount = 0;
    ours.onFrame(() => {
      requestCount += 1;
      ours.send('x'.repeat(1_000_000));
    });
    far.pause();
    for (let sentCount = 0; sentCount < 500; sentCount += 1) far.send(`${sentCount} ${'x'.repeat(20_000)}`);
    // There are enough requests to fill the buffers if nothing stops the server from responding.
    for (let before = -1; requestCount !== before; await new Promise((resolve) => setTimeout(resolve, 200))) before = requestCount;
    expect(ours.unsentBytes).toBeLessThan(150_000_000);
    let read = 0;
    const all = new Promise<void>((resolve) => {
      far.on('message', () => {
        read += 1;
        if (read === 500) resolve();
      });
    });
    far.resume();
    await all;
    expect(requestCount).toBe(500);
  });
});

describe('keepAlive', () => {
  it('ends a connection whose other end is silent', async () => {
    const { near } = await openPair({ autoPong: false });
    keepAlive(near, 20);
    await once(near, 'close');
    expect(near.readyState).toBe(near.CLOSED);
  });

  it('keeps a connection that replies', async () => {
    const { near, far } = await openPair({ autoPong: true });
    keepAlive(near, 20);
    for (let pings = 0; pings < 5; pings += 1) await once(far, 'ping');
    expect(near.readyState).toBe(near.OPEN);
  });
});
