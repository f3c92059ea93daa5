import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SESSION_COOKIE, startTarget, type TestTarget } from '#backend/testing/target.ts';
import { login } from './login.ts';

let target: TestTarget;
beforeAll(async () => {
  target = await startTarget();
});
afterAll(() => target.close());

const loginAt = (path: string, password = 'lovelace') =>
  login({ url: new URL(path, target.url), username: 'ada', password, userAgent: 'Holdfast/test', timeoutMs: 5_000 });

describe('login', () => {
  it('fills in the form with its _xsrf and keeps the cookies', async () => {
    const loggedIn = await loginAt('/');
    expect(loggedIn.cookieNames).toEqual(expect.arrayContaining(['_xsrf', SESSION_COOKIE]));
    expect(loggedIn.cookieHeader).toContain(`${SESSION_COOKIE}=session-value`);
    expect(loggedIn.landedOn).toBe(target.url);
    expect(loggedIn.explanation).toContain('ada');
  });

  it('finds the form also when the page sends it there', async () => {
    expect((await loginAt('/members')).cookieNames).toContain(SESSION_COOKIE);
  });

  it('says that the login was refused, and does not repeat the password', async () => {
    const thrown: unknown = await loginAt('/', 'wrong-password').catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'LOGIN_REFUSED', hint: expect.stringContaining('password') });
    expect(JSON.stringify(thrown)).not.toContain('wrong-password');
  });

  it('says where there is no form', async () => {
    await expect(loginAt('/page')).rejects.toMatchObject({ code: 'NO_LOGIN_FORM' });
    await expect(loginAt('/status/404')).rejects.toMatchObject({ code: 'NO_LOGIN_FORM', message: expect.stringContaining('404') });
  });

  it('passes on why a server cannot be reached', async () => {
    const gone = await startTarget();
    await gone.close();
    await expect(login({ url: new URL(gone.url), username: 'a', password: 'b', userAgent: '', timeoutMs: 5_000 })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});
