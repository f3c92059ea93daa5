import { constants } from 'node:http2';
import { createServer as createTls } from 'node:tls';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { buildRequest } from '#workers/requestBytes.ts';
import { cert, key } from '#workers/testing/certificate.ts';
import { frame } from './testing/frameBytes.ts';
import { NativeDrive, nativeStep } from '../testing/driveNative.ts';
import { closeServers, frameServer, http2, over, portOf, rawServer, respondOk, serve } from './testing/http2Servers.ts';

afterEach(closeServers);

describe("HTTP/2 driver: counts match the server's", () => {
  it.each([
    [7, 1, 7],
    [20, 10, 2],
    [25, 10, 3],
  ])('with %i virtual users, %i per connection', async (connections, streams, opened) => {
    const server = await serve(respondOk);
    const figures = await over({ url: server.url, connections, streams, journeys: 1_000 });
    expect(figures).toMatchObject({
      sent: 1_000,
      outcomes: { ok: 1_000 },
      statuses: { 200: 1_000 },
      errors: {},
      inFlight: 0,
      bodyBytes: 5_000,
    });
    expect([server.requests, server.sessions, figures.connectionsOpened]).toEqual([1_000, opened, opened]);
    expect(figures.onReusedConnection).toBe(1_000 - opened);
  });

  it('over TLS with ALPN', async () => {
    const server = await serve(respondOk, {}, true);
    expect(await over({ url: server.url, connections: 6, streams: 3, journeys: 300 })).toMatchObject({
      outcomes: { ok: 300 },
      connectionsOpened: 2,
    });
    expect([server.requests, server.sessions]).toEqual([300, 2]);
  });

  it('with a server without HTTP/2: reports a TLS failure', async () => {
    const server = createTls({ key, cert, ALPNProtocols: ['http/1.1'] });
    onTestFinished(() => void server.close());
    server.on('tlsClientError', () => {});
    const figures = await over({ url: `https://127.0.0.1:${await portOf(server)}/`, connections: 1, journeys: 2 });
    expect(figures.outcomes).toEqual({ tls: 2 });
  });

  it('with a server that responds in HTTP/1.1: reports it, also without TLS', async () => {
    const url = await rawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
    const figures = await over({ url, connections: 2, streams: 2, journeys: 4 });
    expect(figures.errors).toEqual({ 'NO_HTTP2@firstByte': 4 });
  });

  it('with a method, a path, headers, and a request body that is larger than every window', async () => {
    const body = Buffer.alloc(300_000, 'x');
    const seen: Record<string, unknown>[] = [];
    let received = 0;
    const server = await serve((stream, headers) => {
      seen.push({ ...headers });
      stream.on('data', (chunk: Buffer) => (received += chunk.length));
      stream.on('end', () => respondOk(stream, headers, 0));
    });
    const request = buildRequest({ method: 'POST', targetUrl: server.url, path: 'hand-in?x=1', headers: [{ 'X-Name': 'Zoë' }], body });
    const step = { requestIndex: 0, request, reader: null, isExpected: (status: number) => status === 200 };
    const figures = await over({ url: server.url, connections: 2, streams: 2, journeys: 6, steps: [step] });
    expect(figures).toMatchObject({ outcomes: { ok: 6 }, errors: {} });
    expect(received).toBe(6 * body.length);
    expect(seen[5]).toMatchObject({
      ':method': 'POST',
      ':path': '/hand-in?x=1',
      ':scheme': 'http',
      'content-length': '300000',
      'x-name': Buffer.from('Zoë').toString('latin1'),
    });
    expect(seen[5]).not.toHaveProperty('connection');
  });

  it('with response bodies that are larger than the receive windows', async () => {
    const large = Buffer.alloc(20_000_000, 'y');
    const server = await serve(
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.end(large);
      },
      { maxSessionMemory: 1_000 },
    );
    expect(await over({ url: server.url, connections: 2, streams: 2, journeys: 3 })).toMatchObject({
      errors: {},
      outcomes: { ok: 3 },
      bodyBytes: 3 * large.length,
    });
  });

  it('with no more streams than the server allows', async () => {
    let open = 0;
    let most = 0;
    const server = await serve(
      (stream, headers) => {
        open += 1;
        most = Math.max(most, open);
        setTimeout(() => {
          open -= 1;
          respondOk(stream, headers, 0);
        }, 2);
      },
      { settings: { maxConcurrentStreams: 4 } },
    );
    expect(await over({ url: server.url, connections: 20, streams: 20, journeys: 400 })).toMatchObject({
      outcomes: { ok: 400 },
      connectionsOpened: 1,
    });
    expect(most).toBe(4);
    expect(server.requests).toBe(400);
  });
});

describe('HTTP/2: a server that ends streams and connections', () => {
  it('sends refused streams again, and counts other reset streams by error code', async () => {
    const server = await serve((stream, headers, inAll) => {
      if (inAll % 10 === 0) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else if (inAll % 10 === 5) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      else respondOk(stream, headers, inAll);
    });
    // Refused requests are sent again: there are 222 in total, and a tenth of them was refused.
    const figures = await over({ url: server.url, connections: 4, streams: 4, journeys: 200 });
    expect(figures).toMatchObject({ sent: 200, outcomes: { ok: 178, reset: 22 }, inFlight: 0 });
    expect(Object.fromEntries(Object.entries(figures.errors).map(([name, count]) => [name.split('@')[0], count]))).toEqual({
      RST_INTERNAL_ERROR: 22,
    });
    expect(server.requests).toBe(222);
  });

  it('fails a request that is refused every time', async () => {
    const server = await serve((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
    const figures = await over({ url: server.url, connections: 1, journeys: 2 });
    expect(figures).toMatchObject({ sent: 2, outcomes: { reset: 2 }, inFlight: 0, connectionsOpened: 1 });
    expect(Object.keys(figures.errors)[0]).toMatch(/^RST_REFUSED_STREAM/);
    expect(server.requests).toBe(12);
  });

  it('continues on another connection after GOAWAY, and completes all streams that were processed', async () => {
    const server = await serve((stream, headers, inAll) => {
      if (inAll % 50 === 0) stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 2 ** 31 - 1);
      respondOk(stream, headers, inAll);
    });
    const figures = await over({ url: server.url, connections: 8, streams: 8, journeys: 500 });
    const { ok = 0, reset = 0 } = figures.outcomes;
    expect(ok + reset).toBe(500);
    expect(ok).toBe(server.requests);
    expect(Object.keys(figures.errors).every((name) => name.startsWith('GOAWAY_NOT_PROCESSED'))).toBe(true);
    expect(figures.connectionsOpened).toBeGreaterThanOrEqual(server.requests / 100);
  });

  it('sends unprocessed requests again, and fails a request that no connection processes', async () => {
    const settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    const goAway = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let connections = 0;
    const url = await rawServer((socket) => {
      connections += 1;
      socket.write(Buffer.from([...settings, ...goAway]));
    });
    const figures = await over({ url, connections: 1, journeys: 1 });
    expect(figures).toMatchObject({ sent: 1, outcomes: { reset: 1 }, connectionsOpened: 6 });
    expect(connections).toBe(6);
    expect(Object.keys(figures.errors)[0]).toMatch(/^GOAWAY_NOT_PROCESSED/);
  });

  it.each([
    ['settings', [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 255, 255]],
    ['pings', [0, 0, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ])('closes the connection to a server that sends %s and reads no replies', { timeout: 30_000 }, async (_what, frame) => {
    const frames = Buffer.concat(Array.from({ length: 5_000 }, () => Buffer.from(frame)));
    // Maximum number of bytes of the flood, so that no test sends forever.
    const most = 60_000_000;
    let sent = 0;
    const url = await rawServer((socket) => {
      socket.pause();
      socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
      const flood = setInterval(() => {
        for (let count = 0; count < 40 && sent < most && socket.writableLength === 0; count += 1) {
          socket.write(frames);
          sent += frames.length;
        }
        if (sent >= most) socket.destroy();
      }, 1);
      socket.on('close', () => clearInterval(flood));
    });
    const figures = await over({ url, connections: 1, journeys: 1 });
    expect(Object.keys(figures.errors)[0]).toMatch(/^H2_FLOOD/);
    expect(sent).toBeLessThan(most);
  });

  it('opens no stream after GOAWAY: a waiting request is sent once, over another connection', async () => {
    const streams: number[][] = [];
    const url = await frameServer((socket, connection, stream) => {
      (streams[connection] ??= []).push(stream);
      const seen = streams[connection].length;
      const responseTo = (id: number) => void socket.write(frame(1, 5, id, '88'));
      if (connection > 0) responseTo(stream);
      else if (seen === 4) {
        socket.write(frame(7, 0, 0, '0000000300000000'));
        setTimeout(() => [1, 3].forEach(responseTo), 20);
      }
    });
    const figures = await over({ url, connections: 20, streams: 20, journeys: 40 });
    expect(figures).toMatchObject({ sent: 40, outcomes: { ok: 40 }, errors: {}, resent: 2, connectionsOpened: 2 });
    expect(streams[0]).toEqual([1, 3, 5, 7]);
    expect(streams.flat()).toHaveLength(42);
  });

  it('counts the requests in flight on a lost connection as resets', async () => {
    const server = await serve((stream, headers, inAll) => {
      if (inAll === 30) stream.session?.destroy();
      else respondOk(stream, headers, inAll);
    });
    const steps = [nativeStep(server.url, '', {}, 'POST')];
    const figures = await over({ url: server.url, connections: 5, streams: 5, journeys: 100, steps });
    const settled = Object.values(figures.outcomes).reduce((sum, count) => sum + count, 0);
    expect([figures.sent, settled, figures.inFlight]).toEqual([100, 100, 0]);
    expect(figures.outcomes.reset).toBeGreaterThanOrEqual(1);
  });

  it('sends safe requests again if the lost connection had received responses before', async () => {
    const server = await serve((stream, headers, inAll) => {
      if (inAll % 30 === 0) stream.session?.destroy();
      else respondOk(stream, headers, inAll);
    });
    const figures = await over({ url: server.url, connections: 5, streams: 5, journeys: 100 });
    expect(figures).toMatchObject({ sent: 100, outcomes: { ok: 100 }, errors: {}, inFlight: 0 });
    expect(figures.connectionsOpened).toBe(server.sessions);
    expect(figures.resent).toBeGreaterThanOrEqual(server.requests - 100);
  });

  it('fails a request that loses its connection each time', async () => {
    const server = await serve((stream, headers, inAll) => {
      if (inAll === 1) respondOk(stream, headers, inAll);
      else stream.session?.destroy();
    });
    const figures = await over({ url: server.url, connections: 1, journeys: 2 });
    expect(figures).toMatchObject({ sent: 2, outcomes: { ok: 1, reset: 1 }, resent: 1 });
    expect(server.requests).toBe(3);
  });

  it('times out one stream and keeps the others', async () => {
    const server = await serve((stream, headers, inAll) => {
      if (inAll % 20 !== 0) respondOk(stream, headers, inAll);
    });
    const figures = await over({ url: server.url, connections: 4, streams: 4, journeys: 60, limits: { totalUs: 300_000 } });
    expect(figures).toMatchObject({ sent: 60, outcomes: { ok: 57, timeout: 3 }, connectionsOpened: 1 });
  });

  it('opens one connection per request with `reuse: never`', async () => {
    const server = await serve(respondOk);
    expect(await over({ url: server.url, connections: 3, journeys: 30, reuse: 'never' })).toMatchObject({
      outcomes: { ok: 30 },
      connectionsOpened: 30,
      onReusedConnection: 0,
    });
    expect(server.sessions).toBe(30);
  });

  it('does not count a request as sent if it still waits for a stream when the run ends', async () => {
    let opened = 0;
    const url = await frameServer(() => (opened += 1));
    const drive = new NativeDrive(http2({ url, connections: 10, streams: 10 }));
    drive.start();
    await expect.poll(() => opened).toBe(4);
    drive.driver.abort();
    await drive.driver.done;
    expect(drive.end()).toMatchObject({ outcomes: { neverSent: 6 }, errors: { 'NEVER_SENT@connect': 6 }, inFlight: 4 });
    expect(opened).toBe(4);
  });

  it('drains: waits for streams in flight, and sends nothing more', async () => {
    const server = await serve(respondOk);
    const drive = new NativeDrive(http2({ url: server.url, connections: 6, streams: 3 }));
    drive.start();
    await expect.poll(() => server.requests).toBeGreaterThan(500);
    drive.driver.drain('over');
    await drive.driver.done;
    const figures = drive.end();
    expect(figures).toMatchObject({ sent: server.requests, outcomes: { ok: server.requests }, inFlight: 0 });
  });
});
