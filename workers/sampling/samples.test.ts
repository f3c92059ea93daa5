import { once } from 'node:events';
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { maskSample } from '#core/work/samples/schema.ts';
import { drive } from '#workers/testing/drive.ts';
import { httpServer, rawServer } from '#workers/testing/servers.ts';
import { toSampleMessage } from './sampler.ts';

const stage = { connections: 3, requests: 90 };

describe('failure samples', () => {
  it('contain the first few of each kind, with request and response', async () => {
    let served = 0;
    const server = await httpServer((request, response) => {
      served += 1;
      if (served % 3 === 0) response.writeHead(500, { 'Content-Type': 'text/plain' }).end(`broken ${'x'.repeat(200_000)}`);
      else response.end(served % 3 === 1 ? `<h1>${request.url}</h1>` : 'Welcome');
    });
    const journey = [{ name: 'page', path: 'a?b=1', checks: [{ kind: 'contains' as const, text: 'Welcome' }] }];
    const { samples } = await drive({ targets: [server.url], stage, plan: { journey } });
    const kinds = samples.map(({ failure }) => failure);
    expect(kinds.toSorted()).toEqual([...Array<string>(3).fill('TEXT_MISSING “Welcome”@check'), ...Array<string>(3).fill('status 500')]);
    const failed = samples.find(({ failure }) => failure === 'status 500');
    expect(failed?.request).toBe('page');
    expect(failed?.sent?.head).toMatch(/^GET \/a\?b=1 HTTP\/1\.1\nHost: /);
    expect(failed?.received?.head).toMatch(/^HTTP\/1\.1 500 /);
    expect(failed?.received).toMatchObject({ isCut: true, body: expect.stringMatching(/^broken x+$/) });
    const wrong = samples.find(({ failure }) => failure?.startsWith('TEXT'));
    expect(wrong?.received).toMatchObject({ body: '<h1>/a?b=1</h1>', isCut: false });
    await server.close();
  });

  it("quote the server's error message, even from the end of a long page", async () => {
    const rules = '<p>Rules of the site.</p>'.repeat(1_500);
    const server = await httpServer((_, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end(`<title>Edit</title>${rules}<div class="flash error">Somebody else has changed it</div>`);
    });
    const journey = [{ name: 'page', checks: [{ kind: 'contains' as const, text: 'Saved' }] }];
    const { samples } = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 }, plan: { journey } });
    expect(samples[0]?.says).toBe('Somebody else has changed it');
    await server.close();
  });

  it('contain what had arrived before the connection broke', async () => {
    const server = await rawServer(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it', () => socket.destroy());
    });
    const { samples } = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 } });
    expect(samples).toHaveLength(1);
    expect(samples[0]).toMatchObject({ serviceMs: null, received: { body: 'half of it', isCut: true } });
    await server.close();
  });

  it('have their own head and body for interleaved HTTP/2 streams', async () => {
    const streams: ServerHttp2Stream[] = [];
    const server = createServer();
    server.on('stream', (stream: ServerHttp2Stream) => {
      if (streams.push(stream) === 2) void responseInTurns(streams);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { samples } = await drive({
      targets: [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`],
      stage: { connections: 2, requests: 2 },
      plan: { connections: { protocol: 'h2', streams: 2 } },
    });
    expect(samples.map(({ received }) => [received?.head, received?.body, received?.isCut]).toSorted()).toEqual([
      ['HTTP/2 500\nx-number: 0', '0 begins, 0 goes on, 0 ends', false],
      ['HTTP/2 500\nx-number: 1', '1 begins, 1 goes on, 1 ends', false],
    ]);
    server.close();
  });
});

/** Writes frames of several streams in each read, and an early hint first. */
async function responseInTurns(streams: readonly ServerHttp2Stream[]): Promise<void> {
  for (const stream of streams) stream.additionalHeaders({ ':status': 103, link: '</early>' });
  for (const [index, stream] of streams.entries()) stream.respond({ ':status': 500, 'x-number': index }, { sendDate: false } as object);
  for (const part of [' begins, ', ' goes on, ']) {
    for (const [index, stream] of streams.entries()) stream.write(`${index}${part}`);
    await delay(20);
  }
  for (const [index, stream] of streams.entries()) stream.end(`${index} ends`);
}

describe('toSampleMessage', () => {
  it('decompresses incomplete bodies and removes chunk framing', () => {
    const packed = gzipSync('text '.repeat(10_000));
    const chunk = Buffer.concat([Buffer.from(`${packed.length.toString(16)}\r\n`), packed, Buffer.from('\r\n0\r\n\r\n')]);
    const head = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n');
    const whole = Buffer.concat([head, chunk]);
    expect(toSampleMessage(whole)).toMatchObject({ body: 'text '.repeat(10_000).slice(0, 16_384), isCut: true, bodyBytes: packed.length });
    expect(toSampleMessage(whole.subarray(0, head.length + 60)).body).toMatch(/^text /);
    expect(toSampleMessage(Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\n\r\nabc'))).toMatchObject({
      body: '',
      bodyBytes: 3,
    });
  });
});

describe('maskSample', () => {
  it('leaves no secret in the sample', () => {
    const head = (lines: readonly string[]): string => lines.join('\n');
    const clean = maskSample(
      {
        request: 'login',
        failure: null,
        sent: {
          head: head([
            'POST /login?api_key=k1k1 HTTP/1.1',
            'Host: a',
            'Cookie: sid=s1s1; _xsrf=x1x1',
            'Authorization: Basic YWRhOmh1bnRlcjI=',
            'X-Odd: odd1',
          ]),
          body: 'username=ada&password=hunter2&_xsrf=x1x1&note=it+is+hunter2',
          bodyBytes: 10,
          isCut: false,
        },
        received: {
          head: head(['HTTP/1.1 200 OK', 'Set-Cookie: sid=s2s2; Path=/; HttpOnly', 'Content-Type: text/html']),
          body: '{"token":"t1t1","name":"ada","pin": 1234}<input type="hidden" name="csrf_token" value="c1c1">',
          bodyBytes: 10,
          isCut: false,
        },
        serviceMs: 1,
        captured: [
          { name: 'token', value: 't1t1' },
          { name: 'id', value: '7' },
        ],
      },
      ['hunter2'],
    );
    const text = JSON.stringify(clean);
    for (const secret of ['k1k1', 's1s1', 's2s2', 'x1x1', 'YWRhOmh1bnRlcjI', 'odd1', 'hunter2', 't1t1', 'c1c1', '1234']) {
      expect(text, secret).not.toContain(secret);
    }
    expect(clean.sent?.head).toContain('Cookie: sid=•••; _xsrf=•••');
    expect(clean.received?.head).toContain('Set-Cookie: sid=•••; Path=/; HttpOnly');
    expect(clean.sent?.body).toMatch(/^username=ada&/);
    expect(clean.captured).toEqual([
      { name: 'token', value: '•••' },
      { name: 'id', value: '7' },
    ]);
  });
});
