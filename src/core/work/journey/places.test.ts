import { describe, expect, it } from 'vitest';
import { escapeFor, formEncoded, type EscapeContext, removeTrailingSlash } from './escape.ts';
import { isRedirect, loginPlace, looksLikeLogin } from './redirects.ts';
import { pathInFolder, listUploadFolders, listUploads } from './walked.ts';
import { planWith } from '#core/testing/plans.ts';

describe('escapeFor', () => {
  it.each<readonly [EscapeContext, string, string]>([
    ['address', "a b/c?d&e='(*)!", 'a%20b%2Fc%3Fd%26e%3D%27%28%2A%29%21'],
    ['form', 'a b/c~*', 'a+b%2Fc%7E*'],
    ['json', 'say "so"\\\n', String.raw`say \"so\"\\\n`],
    ['header', 'a\r\nset-cookie: b\u0000\u007F\u001F\u0008', 'a%0D%0Aset-cookie: b%00%7F%1F%08'],
    ['header', 'tab\tand blank', 'tab\tand blank'],
    ['text', 'a b&"\n', 'a b&"\n'],
  ])('escapes for the place “%s”: %j', (place, value, escaped) => expect(escapeFor(place, value)).toBe(escaped));

  it('escapes lone surrogates', () => {
    expect(formEncoded('\uD83D')).toBe('%EF%BF%BD');
  });
});

it.each([
  ['http://host/italia/', '/italia'],
  ['http://host/italia', '/italia'],
  ['http://host/a/b//', '/a/b'],
  ['http://host/', '/'],
  ['http://host', '/'],
])('removeTrailingSlash: returns the path of %s without its trailing slash, %s', (url, path) =>
  expect(removeTrailingSlash(url)).toBe(path),
);

describe('login redirects', () => {
  const from = new URL('http://contest.example/tasks/sum');
  const placeOf = (to: string, start = from) => loginPlace(start, new URL(to, start));

  it('are identified by their path', () => {
    for (const path of ['/login', '/users/sign_in', '/log-in', '/auth/realms', '/sso', '/a.login', '/OAuth2/start', '/session']) {
      expect(placeOf(path)).toBe(path);
    }
    for (const path of ['/blogin', '/logins', '/authors', '/tasks', '/']) expect(placeOf(path)).toBeNull();
  });

  it('are identified by the return parameter, without its value', () => {
    expect(placeOf('/?next=%2Ftasks')).toBe('/?next');
    expect(placeOf('/?a=1&Return_To=x')).toBe('/?return_to');
    expect(placeOf('/login?next=%2Ftasks')).toBe('/login?next');
    expect(placeOf('/?nextpage=2')).toBeNull();
    expect(placeOf('/?&=1')).toBeNull();
  });

  it('are identified by a failed-login parameter, also on the login page itself', () => {
    const login = new URL('http://contest.example/login');
    expect(placeOf('/?login_error=1', login)).toBe('/?login_error');
    expect(placeOf('/?next=%2F&SignInFailed=1', login)).toBe('/?signinfailed');
    expect(placeOf('/?auth_failure', from)).toBe('/?auth_failure');
    expect(placeOf('/?failed=1', from)).toBeNull();
  });

  it('exclude the redirect after a login', () => {
    const login = new URL('http://contest.example/login');
    expect(placeOf('/session', login)).toBeNull();
    expect(placeOf('/?next=%2Ftasks', login)).toBeNull();
    expect([looksLikeLogin(from, login), looksLikeLogin(login, from)]).toEqual([true, false]);
  });

  it('have a status with a Location header', () => {
    expect([200, 300, 301, 302, 303, 304, 305, 307, 308, 404].filter(isRedirect)).toEqual([301, 302, 303, 307, 308]);
  });
});

it('listUploads and listUploadFolders: return each file and folder once', () => {
  const part = (source: { file: string } | { folder: string }) => ({ name: 'x', ...source });
  const plan = planWith({
    journey: [
      { name: 'a', method: 'POST', multipart: [part({ file: '/tmp/a.c' }), part({ folder: '/tmp/all/' })] },
      { name: 'b', method: 'POST', multipart: [part({ file: '/tmp/a.c' }), part({ file: '/tmp/b.c' }), part({ folder: '/tmp/all/' })] },
      { name: 'c' },
    ],
  });
  expect(listUploads(plan)).toEqual(['/tmp/a.c', '/tmp/b.c']);
  expect(listUploadFolders(plan)).toEqual(['/tmp/all/']);
  expect([pathInFolder('/tmp/all/', 'x.c'), pathInFolder('C:\\all\\', 'x.c'), pathInFolder('all', 'x.c')]).toEqual([
    '/tmp/all/x.c',
    'C:\\all/x.c',
    'all/x.c',
  ]);
});
