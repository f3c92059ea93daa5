import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findMainCause } from '#core/judgement/diagnosis/causes.ts';
import { explainFailure } from '#core/work/samples/text.ts';
import { cert, key } from '#workers/testing/certificate.ts';
import { login } from './login.ts';
import { probe } from './probe.ts';
import { unreachableProblem } from './unreachable.ts';
import { NoResponseError, singleRequest } from './singleRequest.ts';
import { connectOnce, type TargetConnection } from './targetConnection.ts';
import { USUAL_CONNECTION } from './testing/usualConnection.ts';

const connection: TargetConnection = { ...USUAL_CONNECTION, tls: { verify: false } };

type Response = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Starts a server that only supports HTTP/2. */
async function startHttp2Server(respond: Response): Promise<URL> {
  const server = createSecureServer({ key, cert }, respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe('a server that supports only HTTP/2', () => {
  it('is probed with the given headers', async () => {
    const url = await startHttp2Server((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`${request.authority} ${request.headers['user-agent'] ?? ''}`);
    });
    const found = await probe({ url, headers: { 'User-Agent': 'me', Connection: 'close' }, connection, timeoutMs: 5_000 });
    expect(found).toMatchObject({
      status: 200,
      statusText: 'OK',
      httpVersion: '2.0',
      keepAlive: true,
      contentType: 'text/html',
      problem: null,
    });
    expect(found.bodyBytes).toBe(`${url.host} me`.length);
    expect(found.address).toBe('127.0.0.1');
    expect(found.certificate?.valid).toBe(false);
    expect(found.connectMs).toBeLessThanOrEqual(found.firstByteMs ?? 0);
  });

  it('accepts a login', async () => {
    const bodies: string[] = [];
    const url = await startHttp2Server((request, response) => {
      if (request.method === 'GET') {
        const isIn = request.headers.cookie?.includes('session=yes') === true;
        response.end(
          isIn ? 'welcome' : '<form method="post" action="/login"><input name="user"><input type="password" name="word"></form>',
        );
        return;
      }
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on('end', () => response.writeHead(302, { location: '/', 'set-cookie': ['session=yes', 'theme=dark'] }).end());
    });
    const loggedIn = await login({ url, username: 'ada', password: 'lovelace', connection, userAgent: 'me', timeoutMs: 5_000 });
    expect(loggedIn.cookieNames).toEqual(['session', 'theme']);
    expect(bodies).toEqual(['user=ada&word=lovelace']);
  });

  it('times out, or reports an ended stream', async () => {
    const silentUrl = await startHttp2Server(() => {});
    const ask = (url: URL, timeoutMs: number) =>
      singleRequest({ url, method: 'GET', headers: {}, connection, demandsTrust: false, timeoutMs });
    await expect(ask(silentUrl, 200)).rejects.toMatchObject({ code: 'TIMEOUT' });
    const rude = await startHttp2Server((_, response) => response.stream.destroy(new Error('no')));
    await expect(ask(rude, 5_000)).rejects.toMatchObject({ name: 'Error', code: expect.any(String) });
  });

  it('is reachable only for a plan with HTTP/2', async () => {
    const url = await startHttp2Server((_, response) => response.end());
    const connectSpeaking = (protocol: 'h2' | 'http/1.1') =>
      connectOnce(url, { protocol }, { ...connection, connections: { protocol } }, 3_000);
    expect(await connectSpeaking('h2')).toBeNull();
    const failure = await connectSpeaking('http/1.1');
    const problem = unreachableProblem(new NoResponseError(failure?.code ?? '', ''), url);
    expect(problem.message).toContain('probably HTTP/2 only');
    expect(problem.hint).toContain('--http2');
    expect(findMainCause({ [`${problem.code}@tls`]: 3 }).sentence).toBe('The server speaks HTTP/2 only, and the test used HTTP/1.1.');
    expect(explainFailure(`${problem.code}@tls`).hint).toContain('HTTP/2 only');
  });
});
