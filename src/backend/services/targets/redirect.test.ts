import { describe, expect, it } from 'vitest';
import { redirectOf } from './redirect.ts';

const from = new URL('http://contest.example/tasks/sum/description');

describe('redirectOf', () => {
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
    expect(redirectOf(302, location, from)).toEqual({ location: new URL(location, from).href, looksLikeLogin });
  });

  it('is nothing for an answer that sends nobody anywhere', () => {
    expect(redirectOf(200, '/login', from)).toBeNull();
    expect(redirectOf(304, undefined, from)).toBeNull();
  });

  it('does not call the way on from a login page a login', () => {
    expect(redirectOf(302, '/?next=/x', new URL('http://contest.example/login'))?.looksLikeLogin).toBe(false);
  });

  it('copes with an address that is none', () => {
    expect(redirectOf(302, 'http://[', from)).toEqual({ location: 'http://[', looksLikeLogin: false });
  });
});
