import { describe, expect, it } from 'vitest';
import { encodeForTarget, matchesTarget, parseRedirectTarget, redirectKind } from './redirects.ts';

const leads = (target: string, address: string): boolean =>
  matchesTarget(parseRedirectTarget(target), new URL(address, 'http://site.example'));

describe('RedirectTarget', () => {
  it.each([
    ['/issues/*', '/issues/42', true],
    ['/issues/*', '/issues/42/edit', false],
    ['/issues/*', '/issues/', false],
    ['/issues/*', '/login', false],
    ['/issues/*', '/issues/42?error=1', false],
    ['/issues/*?*', '/issues/42?notice=1', true],
    ['/issues/*', '/issues/42#note-3', true],
    ['/issue-*-*.html', '/issue-4-2.html', true],
    ['/issue-*-*.html', '/issue-4.html', false],
    ['/a?page=1&attempt=*', '/a?attempt=77&page=1', true],
    ['/a?page=1&attempt=*', '/a?attempt=77&page=0', false],
    ['/a?page=1', '/a?page=1&page=1', false],
    ['/', '/', true],
    ['/', '/?next=%2Ftasks', false],
    ['/b%C3%BCcher/*', '/b%c3%bccher/1', true],
    ['/%', '/%', true],
  ])('%s matches %s: %j', (target, address, isMet) => expect(leads(target, address)).toBe(isMet));

  it('escapes values', () => {
    expect(leads(`/notes/${encodeForTarget('a*/b?c')}`, '/notes/a*%2Fb%3Fc')).toBe(true);
    expect(leads(`/notes/${encodeForTarget('a*')}`, '/notes/ab')).toBe(false);
  });

  it('rejects a long address despite hundreds of wildcards', () => {
    expect(leads(`/${'*a'.repeat(900)}`, `/${'a'.repeat(1_900)}b`)).toBe(false);
  });

  it.each([
    ['/issues/42/edit', '/issues/*/edit'],
    ['/?controller=Task&task_id=5&token=8d31ab90ffce', '/?controller=Task&task_id=*&token=*'],
    ['/wiki/the-first-page-of-all', '/wiki/*'],
    ['/my_account/log-in', '/my_account/log-in'],
    ['/?flag&empty=', '/?flag&empty='],
  ])('%s has the kind %s', (address, kind) => expect(redirectKind(new URL(address, 'http://site.example'))).toBe(kind));
});
