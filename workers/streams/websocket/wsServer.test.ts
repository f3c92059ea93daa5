import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { UpgradeOptions } from './handshake.ts';
import { OpenWebSocket, openWebSocket } from './testing/openWebSocket.ts';

const PLAIN: UpgradeOptions = { origin: null, protocols: [] };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Pair {
  readonly client: OpenWebSocket;
  readonly server: WebSocket;
}

async function listen(options: ServerOptions): Promise<{ readonly wss: WebSocketServer; readonly url: string }> {
  const wss = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options });
  closing.push(() => wss.close());
  await once(wss, 'listening');
  return { wss, url: `http://127.0.0.1:${(wss.address() as AddressInfo).port}/` };
}

async function pair(serverOptions: ServerOptions = {}, options: UpgradeOptions = PLAIN): Promise<Pair> {
  const { wss, url } = await listen(serverOptions);
  const connected = once(wss, 'connection');
  const client = await openWebSocket(url, options);
  if (!(client instanceof OpenWebSocket)) throw new Error(client);
  const [server]: WebSocket[] = await connected;
  if (server === undefined) throw new Error('no connection');
  closing.push(() => server.terminate());
  return { client, server };
}

/** Resolves to the first `count` events of the server, one line each. */
function receivedBy(server: WebSocket, count: number): Promise<readonly string[]> {
  const received: string[] = [];
  return new Promise((resolve) => {
    const hear = (line: string): void => {
      if (received.push(line) === count) resolve(received);
    };
    server.on('message', (message: Buffer, isBinary: boolean) =>
      hear(isBinary ? `binary ${message.toString('latin1')}` : `text ${String(message)}`),
    );
    server.on('ping', (payload: Buffer) => hear(`ping ${String(payload)}`));
    server.on('pong', (payload: Buffer) => hear(`pong ${String(payload)}`));
    server.on('close', (code: number, reason: Buffer) => hear(`close ${code} ${String(reason)}`));
  });
}

const LENGTHS = [0, 1, 125, 126, 1_000, 65_535, 65_536, 1_000_000];
const long = (length: number): string => 'ab😀'.repeat(Math.ceil(length / 6)).slice(0, length);

describe('WebSocket client against a server of the ws package', () => {
  it('reads texts, bytes, fragments and pings', async () => {
    const { client, server } = await pair();
    const received = receivedBy(server, 1);
    for (const length of LENGTHS) server.send('x'.repeat(length));
    server.send(Buffer.from([0, 255, 254]));
    server.send('Gr', { fin: false });
    server.ping('between');
    server.send('üß', { fin: false });
    server.send('e', { fin: true });
    server.pong('unasked');
    expect(await client.reported(LENGTHS.length + 4)).toEqual([
      ...LENGTHS.map((length) => `text ${'x'.repeat(length)}`),
      'binary \u0000\u00ff\u00fe',
      'ping between',
      'text Grüße',
      'pong unasked',
    ]);
    expect(await received).toEqual(['pong between']);
  });

  it('sends texts, bytes, pings and a close frame', async () => {
    const { client, server } = await pair();
    const received = receivedBy(server, LENGTHS.length + 4);
    for (const length of LENGTHS) client.write(client.writer.text(long(length)));
    client.write(client.writer.binary(Buffer.from([0, 255, 254])));
    client.write(client.writer.ping(Buffer.from('?')));
    client.write(client.writer.pong(Buffer.from('!')));
    client.write(client.writer.close(4_000, 'done'));
    const reported = LENGTHS.map((length) => `text ${Buffer.from(long(length)).toString()}`);
    expect(await received).toEqual([...reported, 'binary \u0000\u00ff\u00fe', 'ping ?', 'pong !', 'close 4000 done']);
    expect(await client.reported(2)).toEqual(['pong ?', 'close 4000 done']);
  });

  it.each([
    [1000, ''],
    [1001, 'going away'],
    [1008, ''],
    [1013, 'später'],
    [4_999, 'r'.repeat(123)],
  ])('reads close code %i with reason %j', async (code, reason) => {
    const { client, server } = await pair();
    const closed = receivedBy(server, 1);
    server.close(code, reason);
    expect(await client.reported(1)).toEqual([`close ${code} ${reason}`]);
    client.write(client.writer.close(code));
    expect(await closed).toEqual([`close ${code} `]);
  });

  it('reads a close frame without a code', async () => {
    const { client, server } = await pair();
    server.close();
    expect(await client.reported(1)).toEqual(['close 1005 ']);
  });

  it('sends the reason for a protocol error', async () => {
    const { client, server } = await pair();
    const closed = receivedBy(server, 1);
    client.log.onBroken = (fault, code) => client.write(client.writer.close(code, fault));
    client.read(Buffer.from('8181', 'hex'));
    expect(await closed).toEqual(['close 1002 WS_MASKED']);
  });

  it('agrees on a subprotocol', async () => {
    const { wss, url } = await listen({ handleProtocols: (protocols) => [...protocols][1] ?? false });
    closing.push(() => {
      for (const one of wss.clients) one.terminate();
    });
    const opened = await openWebSocket(url, { ...PLAIN, protocols: ['a', 'b'] });
    expect(opened).toMatchObject({ upgraded: { protocol: 'b' } });
    expect(await openWebSocket(url, { ...PLAIN, protocols: ['a'] })).toBe('WS_NO_PROTOCOL');
  });

  it('reports a refused upgrade and a server without WebSocket', async () => {
    const { url } = await listen({ verifyClient: () => false });
    expect(await openWebSocket(url, PLAIN)).toBe('WS_NOT_UPGRADED');
    const plain = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await once(plain, 'listening');
    closing.push(() => plain.close());
    expect(await openWebSocket(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/`, PLAIN)).toBe('WS_NOT_UPGRADED');
  });
});

describe('compression between WebSocket client and the ws package', () => {
  it('works without context takeover', async () => {
    const { client, server } = await pair({ perMessageDeflate: { threshold: 0 } });
    expect(client.upgraded.windowBits).toBe(15);
    const texts = ['Hello', 'Hello', '', ...LENGTHS.slice(1).map(long), long(100_000).slice(50), 'Hello'].map((text) =>
      Buffer.from(text).toString(),
    );
    for (const text of texts) server.send(text);
    server.send('He', { fin: false });
    server.ping();
    server.send('llo', { fin: true });
    server.send('Hello', { compress: false });
    server.send(Buffer.from('Hello'));
    const reported = texts.map((text) => `text ${text}`);
    expect(await client.reported(texts.length + 4)).toEqual([...reported, 'ping ', 'text Hello', 'text Hello', 'binary Hello']);
    const received = receivedBy(server, 1);
    client.write(client.writer.text('Hello'));
    expect(await received).toEqual(['text Hello']);
  });

  it('is not used if the server does not support it', async () => {
    const { client } = await pair({ perMessageDeflate: false });
    expect(client.upgraded.windowBits).toBeNull();
  });
});
