import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selfSigned } from '#backend/testing/certificates.ts';
import { SESSION_COOKIE, startTarget, type TestTarget } from '#backend/testing/target.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { login } from './login.ts';
import type { TargetConnection } from './targetConnection.ts';
import { USUAL_CONNECTION } from './testing/usualConnection.ts';

let target: TestTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

const loginAt = (path: string, password = 'lovelace') =>
  login({
    url: new URL(path, target.url),
    username: 'ada',
    password,
    connection: USUAL_CONNECTION,
    userAgent: 'Holdfast/test',
    timeoutMs: 5_000,
  });

describe('login', () => {
  it('fills in the form with its _xsrf token and keeps the cookies', async () => {
    const loggedIn = await loginAt('/');
    expect(loggedIn.cookieNames).toEqual(expect.arrayContaining(['_xsrf', SESSION_COOKIE]));
    expect(loggedIn.cookieHeader).toContain(`${SESSION_COOKIE}=session-value`);
    expect(loggedIn.landedOn).toBe(target.url);
    expect(loggedIn.explanation).toContain('ada');
  });

  it('finds the form after a redirect', async () => {
    expect((await loginAt('/members')).cookieNames).toContain(SESSION_COOKIE);
  });

  it('reports a refused login without the password', async () => {
    const thrown: unknown = await loginAt('/', 'wrong-password').catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'LOGIN_REFUSED', hint: expect.stringContaining('password') });
    expect(JSON.stringify(thrown)).not.toContain('wrong-password');
  });

  it('reports a page without a form', async () => {
    await expect(loginAt('/page')).rejects.toMatchObject({ code: 'NO_LOGIN_FORM' });
    await expect(loginAt('/status/404')).rejects.toMatchObject({ code: 'NO_LOGIN_FORM', message: expect.stringContaining('404') });
  });

  it('sends credentials only to a server with a trusted certificate', async () => {
    const directory = temporaryDirectory();
    const identity = selfSigned(directory);
    const { url, bodies, close } = await secureLogin(identity);
    const loginWith = (tls: TargetConnection['tls']) =>
      login({
        url: new URL(url),
        username: 'ada',
        password: 'lovelace',
        connection: { ...USUAL_CONNECTION, tls },
        userAgent: '',
        timeoutMs: 5_000,
      });
    await expect(loginWith({ verify: true })).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      message: expect.stringContaining('is self-signed'),
      hint: expect.stringContaining('--ca'),
    });
    expect(bodies).toEqual([]);
    for (const tls of [{ verify: false }, { verify: true, ca: identity.cert.toString() }])
      expect((await loginWith(tls)).cookieNames).toEqual(['session']);
    expect(bodies).toEqual(['name=ada&password=lovelace', 'name=ada&password=lovelace']);
    await close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('reports why a server cannot be reached', async () => {
    const removedTestTarget = await startTarget();
    await removedTestTarget.close();
    await expect(
      login({
        url: new URL(removedTestTarget.url),
        username: 'a',
        password: 'b',
        connection: USUAL_CONNECTION,
        userAgent: '',
        timeoutMs: 5_000,
      }),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

/** Starts a login form over https, and records the bodies sent to it. */
async function secureLogin(identity: { key: Buffer; cert: Buffer }): Promise<{ url: string; bodies: string[]; close(): Promise<void> }> {
  const bodies: string[] = [];
  const server = createServer(identity, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.method === 'POST') {
        bodies.push(Buffer.concat(chunks).toString());
        response.writeHead(302, { Location: '/in', 'Set-Cookie': `session=${bodies.length}` }).end();
      } else
        response.end(request.url === '/' ? '<form method="post"><input name="name"><input type="password" name="password"></form>' : 'in');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`,
    bodies,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
