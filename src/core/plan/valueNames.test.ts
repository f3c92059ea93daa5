import { expect, it } from 'vitest';
import { columnName, cookieName, cookieOf, readValueName } from './valueNames.ts';

it('value names: are parsed as they were built', () => {
  expect(readValueName(columnName('users', 'first.name'))).toEqual({ owner: 'users', member: 'first.name' });
  expect(readValueName('password')).toEqual({ owner: null, member: 'password' });
  expect([cookieName('_xsrf'), cookieName('a.b')].map(cookieOf)).toEqual(['_xsrf', 'a.b']);
  expect(['cookie', 'cookies.a', 'users.cookie'].map(cookieOf)).toEqual([null, null, null]);
});
