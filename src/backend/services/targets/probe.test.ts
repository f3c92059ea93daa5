import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';
import { once } from 'node:events';
import { selfSigned } from '#backend/testing/certificates.ts';
import { startTarget, type TestTarget } from '#backend/testing/target.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { probe, getRedirect } from './probe.ts';
import type { TargetConnection } from './targetConnection.ts';
import { USUAL_CONNECTION } from './testing/usualConnection.ts';

const REDIRECTED_URL = new URL('http://contest.example/tasks/sum/description');

describe('getRedirect', () => {
  it.each([
    ['/login', true],
    ['/accounts/login/?next=/tasks', true],
    ['/users/sign_in', true],
    ['/?next=%2Ftasks%2Fsum%2Fdescription', true],
    ['https://sso.example/cas/login?service=x', true],
    ['/tasks/sum/description/', false],
    ['/catalogin-g', false],
    ['/blog/insights', false],
    ['https://contest.example/tasks/sum/description', false],
  ])('%s looks like a login: %s', (location, looksLikeLogin) => {
    expect(getRedirect(302, location, REDIRECTED_URL)).toEqual({ location: new URL(location, REDIRECTED_URL).href, looksLikeLogin });
  });

  it('returns null for a response that is not a redirect', () => {
    expect(getRedirect(200, '/login', REDIRECTED_URL)).toBeNull();
    expect(getRedirect(304, undefined, REDIRECTED_URL)).toBeNull();
  });

  it('does not treat the redirect after a login page as a login', () => {
    expect(getRedirect(302, '/?next=/x', new URL('http://contest.example/login'))?.looksLikeLogin).toBe(false);
  });

  it('returns an invalid address unchanged', () => {
    expect(getRedirect(302, 'http://[', REDIRECTED_URL)).toEqual({ location: 'http://[', looksLikeLogin: false });
  });
});

const VERIFIED = { verify: true };
const connection = USUAL_CONNECTION;
const directory = temporaryDirectory();
let target: TestTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(async () => {
  await target.close();
  rmSync(directory, { recursive: true, force: true });
});

const probePath = (path: string, headers: Record<string, string> = {}) =>
  probe({ url: new URL(path, target.url), headers, connection, timeoutMs: 5_000 });

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('probe', () => {
  it('reports the response', async () => {
    const found = await probePath('/page');
    expect(found).toMatchObject({
      status: 200,
      keepAlive: true,
      server: 'target/1.0',
      httpVersion: '1.1',
      redirect: null,
      hasLoginForm: false,
      links: [],
      address: '127.0.0.1',
      certificate: null,
      problem: null,
      contentType: 'text/html; charset=utf-8',
    });
    expect(found.bodyBytes).toBe('<!doctype html><title>Task</title><p>A task.</p>'.length);
    expect(found.notes).toMatchObject([{ level: 'ok' }]);
    expect(found.totalMs).toBeGreaterThanOrEqual(found.firstByteMs ?? Infinity);
    expect(found.firstByteMs).toBeGreaterThanOrEqual(found.connectMs ?? Infinity);
  });

  it('explains that the load would measure the redirect to the login page', async () => {
    const found = await probePath('/members');
    expect(found.redirect).toEqual({ location: `${target.url}?next=%2Fmembers`, looksLikeLogin: true });
    expect(found.notes[0]).toMatchObject({ level: 'problem', text: expect.stringContaining('You would measure the redirect') });
    const withCookie = await probePath('/members', { Cookie: 'contest_login=old' });
    expect(withCookie.notes[0]?.text).toContain('log in again');
  });

  it('counts a redirect as a login only if its page asks for a password, and sends nothing to another server', async () => {
    const askedNames: string[] = [];
    const server = createServer((request, response) => {
      askedNames.push(request.url ?? '');
      const place = { '/talk': '/sessions/42', '/away': 'http://127.0.0.2:9/login', '/shut': '/login', '/round': '/login/round' }[
        request.url ?? ''
      ];
      if (place !== undefined) response.writeHead(302, { Location: place }).end();
      else if (request.url === '/login/round') response.writeHead(302, { Location: '/login/round' }).end();
      else response.writeHead(request.url === '/login' ? 401 : 200).end('<h1>Talk 42</h1>');
    });
    const port = await portOf(server);
    const probeLogin = async (path: string) => {
      const found = await probe({ url: new URL(`http://127.0.0.1:${port}${path}`), headers: {}, connection, timeoutMs: 5_000 });
      return found.redirect?.looksLikeLogin;
    };
    expect([await probeLogin('/talk'), await probeLogin('/away'), await probeLogin('/shut'), await probeLogin('/round')]).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(askedNames).toEqual(['/talk', '/sessions/42', '/away', '/shut', '/login', '/round', ...Array<string>(3).fill('/login/round')]);
    server.closeAllConnections();
    server.close();
  });

  it('explains other redirects, errors, login forms and closed connections', async () => {
    expect((await probePath('/moved')).notes[0]).toMatchObject({ level: 'warning', text: expect.stringContaining('/page') });
    expect((await probePath('/status/500')).notes[0]).toMatchObject({ level: 'problem' });
    expect((await probePath('/status/401')).notes[0]?.text).toContain('refuses');
    expect(await probePath('/')).toMatchObject({ hasLoginForm: true, notes: [{ level: 'warning', asksLogin: true }] });
    expect(await probePath('/close')).toMatchObject({ keepAlive: false, notes: [{ level: 'info' }] });
  });

  it('reports a cache in front of the server that adds headers', async () => {
    const cached = createServer((request, response) => {
      response.setHeader('X-Cache', request.url === '/kept' ? 'HIT' : 'MISS').end('page');
    });
    const port = await portOf(cached);
    const listNotes = async (path: string): Promise<string[]> => {
      const { notes } = await probe({ url: new URL(`http://127.0.0.1:${port}${path}`), headers: {}, connection, timeoutMs: 5_000 });
      return notes.map(({ level, text }) => `${level}: ${text}`);
    };
    expect(await listNotes('/kept')).toEqual([expect.stringMatching(/^ok: /), expect.stringContaining('came from a cache')]);
    expect(await listNotes('/made')).toEqual([
      expect.stringMatching(/^ok: /),
      expect.stringContaining('came from the server, not from a cache'),
    ]);
    cached.closeAllConnections();
    cached.close();
  });

  it('keeps the response to the first request if the request without the slash gets no response', async () => {
    const picky = createServer((request, response) => {
      if (request.url === '/italia') request.socket.destroy();
      else response.writeHead(404).end('not here');
    });
    const port = await portOf(picky);
    const found = await probe({ url: new URL(`http://127.0.0.1:${port}/italia/`), headers: {}, connection, timeoutMs: 5_000 });
    expect(found).toMatchObject({ status: 404, problem: null });
    picky.closeAllConnections();
    picky.close();
  });

  it('reports a self-signed certificate and its effect on the load', async () => {
    const identity = selfSigned(directory);
    const server = createSecureServer(identity, (_request, response) => response.end('hello'));
    const port = await portOf(server);
    const probeWithTls = (tls: TargetConnection['tls']) =>
      probe({ url: new URL(`https://127.0.0.1:${port}/`), headers: {}, connection: { ...USUAL_CONNECTION, tls }, timeoutMs: 5_000 });
    const found = await probeWithTls(VERIFIED);
    expect(found).toMatchObject({ status: 200, certificate: { valid: false, subject: 'localhost', issuer: 'localhost' } });
    expect(found.certificate?.problem).toContain('is self-signed');
    expect(found.notes[0]).toMatchObject({ level: 'problem', text: expect.stringContaining('Every request would fail') });

    const unverified = await probeWithTls({ verify: false });
    expect(unverified.certificate?.valid).toBe(false);
    expect(unverified.notes[0]).toMatchObject({ level: 'warning', text: expect.stringContaining('You turned off its verification') });

    const ca = identity.cert.toString();
    expect(await probeWithTls({ verify: true, ca })).toMatchObject({
      certificate: { valid: true, problem: null },
      notes: [{ level: 'ok' }],
    });
    const misnamed = await probeWithTls({ verify: true, ca, serverName: 'shop.test' });
    expect(misnamed.certificate?.problem).toContain('a different name than shop.test');
    server.closeAllConnections();
    server.close();
  });

  it('explains each kind of missing response and what to do', async () => {
    const free = createTcpServer();
    const port = await portOf(free);
    free.close();
    await once(free, 'close');
    const refused = await probe({ url: new URL(`http://127.0.0.1:${port}/`), headers: {}, connection, timeoutMs: 5_000 });
    expect(refused).toMatchObject({ status: null, problem: { code: 'ECONNREFUSED', message: expect.stringContaining(String(port)) } });

    const unknown = await probe({ url: new URL('http://no-such-name.invalid/'), headers: {}, connection, timeoutMs: 5_000 });
    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(unknown.problem?.code);

    const hanging = await probe({ url: new URL('/hang', target.url), headers: {}, connection, timeoutMs: 200 });
    expect(hanging.problem).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('did not send a complete response') });

    const rude = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
    const rudePort = await portOf(rude);
    const notHttp = await probe({ url: new URL(`http://127.0.0.1:${rudePort}/`), headers: {}, connection, timeoutMs: 5_000 });
    expect(notHttp.problem?.message).toContain('not HTTP');
    const notTls = await probe({ url: new URL(`https://127.0.0.1:${rudePort}/`), headers: {}, connection, timeoutMs: 5_000 });
    expect(notTls.problem?.hint).toContain('http://');
    rude.close();

    const badHeader = await probePath('/page', { 'X-Bad': 'a\nb' });
    expect(badHeader.problem?.code).toBe('ERR_INVALID_CHAR');
  });
});
