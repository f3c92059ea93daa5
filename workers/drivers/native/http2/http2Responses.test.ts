import { afterEach, describe, expect, it } from 'vitest';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { nativeStep } from '../testing/driveNative.ts';
import { closeServers, over, rawServer, respondOk, serve } from './testing/http2Servers.ts';

afterEach(closeServers);

describe('HTTP/2: forms of responses', () => {
  it('reads interim responses, heads and trailers', async () => {
    const server = await serve((stream, headers, inAll) => {
      stream.additionalHeaders({ ':status': 103, link: '</style.css>; rel=preload' });
      if (inAll % 2 === 0) {
        stream.respond({ ':status': 200 }, { waitForTrailers: true });
        stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '1' }));
        stream.end('hello');
      } else respondOk(stream, headers, inAll);
    });
    expect(await over({ url: server.url, connections: 3, streams: 3, journeys: 60 })).toMatchObject({
      outcomes: { ok: 60 },
      bodyBytes: 300,
      errors: {},
    });
  });

  it('counts a response that is shorter than its stated length as failed', async () => {
    const server = await serve((stream) => {
      stream.respond({ ':status': 200, 'content-length': 9 });
      stream.end('hello');
    });
    const figures = await over({ url: server.url, connections: 1, journeys: 2 });
    expect(figures.outcomes['ok'] ?? 0).toBe(0);
    expect(figures.sent).toBe(2);
  });

  it('accepts a length without a body in responses to HEAD and in 304', async () => {
    const server = await serve((stream, headers) => {
      stream.respond({ ':status': headers[':method'] === 'HEAD' ? 200 : 304, 'content-length': 9 }, { endStream: true });
    });
    const steps = [nativeStep(server.url, '', {}, 'HEAD'), { ...nativeStep(server.url), isExpected: (status: number) => status === 304 }];
    expect(await over({ url: server.url, connections: 2, streams: 2, journeys: 10, steps })).toMatchObject({ outcomes: { ok: 20 } });
  });

  it.each([
    ['no HTTP/2 at all', Buffer.from('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')],
    ['a frame that is too large', Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1])],
    ['a push promise', Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 5, 4, 0, 0, 0, 1, 0, 0, 0, 2])],
  ])('ends a connection with %s, and fails its requests', async (_name, bytes) => {
    const url = await rawServer((socket) => socket.write(bytes));
    const figures = await over({ url, connections: 2, streams: 2, journeys: 4, limits: { totalUs: 5_000_000 } });
    expect(figures.sent).toBe(4);
    expect(figures.outcomes.ok ?? 0).toBe(0);
    expect(figures.outcomes.timeout ?? 0).toBe(0);
  });
});

describe('HTTP/2: users', () => {
  it('fetch whole pages over one connection each', async () => {
    const images = Array.from({ length: 20 }, (_, at) => `<img src="/${at}.png">`).join('');
    const server = await serve((stream, headers) => {
      stream.respond({ ':status': 200, 'content-type': headers[':path'] === '/' ? 'text/html' : 'image/png' });
      stream.end(headers[':path'] === '/' ? `<html><body>${images}</body></html>` : 'png');
    });
    const driven = await drive({
      targets: [server.url],
      load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0.05 }, stages: [{ users: 3, startUpSeconds: 0, seconds: 1 }] },
      plan: { journey: [{ name: 'page', resources: {} }], connections: { protocol: 'h2' } },
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(server.requests).toBeGreaterThan(60);
    expect(server.sessions).toBe(3);
  });

  it('continue after a response that arrives before the server has read the whole body', async () => {
    const server = await serve(
      (stream, headers) => {
        stream.respond({ ':status': headers[':path'] === '/early' ? 202 : 200 }, { endStream: true });
      },
      { settings: { initialWindowSize: 1_000 } },
    );
    const driven = await drive({
      targets: [server.url],
      load: { model: 'users', stages: [{ users: 2, startUpSeconds: 0, seconds: 0.5 }] },
      plan: {
        journey: [
          { name: 'early', path: '/early', method: 'POST', body: 'x'.repeat(16_000) },
          { name: 'next', path: '/next' },
        ],
        connections: { protocol: 'h2' },
        timeoutSeconds: 2,
      },
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(Object.keys(driven.cell.outcomes)).toEqual(['ok']);
  });
});
