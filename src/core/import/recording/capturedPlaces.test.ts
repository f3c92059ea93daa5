import { describe, expect, it } from 'vitest';
import { type Case, correlated, FORM, stepOf } from './testing/twoSessions.ts';

describe('a value that changes from session to session', () => {
  it.each<[string, Case, object]>([
    [
      'in JSON, by its path',
      {
        first: { text: '{"query":{"tokens":{"csrftoken":"aa11bb22cc+\\\\"}}}' },
        second: { text: '{"query":{"tokens":{"csrftoken":"dd33ee44ff+\\\\"}}}' },
        step: { method: 'POST', path: '/', form: { token: 'aa11bb22cc+\\' } },
        sent: { method: 'POST', headers: FORM, body: 'token=aa11bb22cc%2B%5C' },
      },
      { from: 'json', path: '$.query.tokens.csrftoken' },
    ],
    [
      'after a word in a header',
      {
        first: { text: '{"access":"eyJhbGci.aaaa1111.bb"}' },
        second: { text: '{"access":"eyJhbGci.cccc2222.dd"}' },
        step: { path: '/me', headers: { Authorization: 'Bearer eyJhbGci.aaaa1111.bb' } },
        sent: { url: '/me', headers: [['Authorization', 'Bearer eyJhbGci.aaaa1111.bb']] },
      },
      { from: 'json', path: '$.access' },
    ],
    [
      'in a header',
      {
        first: { responseHeaders: [['X-Request-Token', 'aa11bb22']], text: '' },
        second: { responseHeaders: [['X-Request-Token', 'cc33dd44']], text: '' },
        step: { path: '/me', headers: { 'X-Request-Token': 'aa11bb22' } },
        sent: { url: '/me', headers: [['X-Request-Token', 'aa11bb22']] },
      },
      { from: 'header', name: 'X-Request-Token' },
    ],
    [
      'in a script, by its name',
      {
        first: { text: `<script>var api = {"root":"/","nonce":"aa11bb22cc"};</script>` },
        second: { text: `<script>var api = {"root":"/","nonce":"dd33ee44ff"};</script>` },
        step: { path: '/me', headers: { 'X-WP-Nonce': 'aa11bb22cc' } },
        sent: { url: '/me', headers: [['X-WP-Nonce', 'aa11bb22cc']] },
      },
      { from: 'body', pattern: expect.stringContaining('nonce') },
    ],
    [
      'in a link, a small number too',
      {
        first: { text: '<a href="/tasks/7/submit">Sum</a>' },
        second: { text: '<a href="/tasks/9/submit">Product</a>' },
        step: { path: '/tasks/7/submit' },
        sent: { url: '/tasks/7/submit' },
      },
      { from: 'body', pattern: expect.stringContaining('tasks') },
    ],
    [
      'in a parameter of a link',
      {
        first: { text: '<a href="/trash?post=1&amp;_wpnonce=aa11bb22cc">x</a>' },
        second: { text: '<a href="/trash?post=1&amp;_wpnonce=dd33ee44ff">x</a>' },
        step: { path: '/trash?post=1&_wpnonce=aa11bb22cc' },
        sent: { url: '/trash?post=1&_wpnonce=aa11bb22cc' },
      },
      { from: 'body', pattern: expect.stringContaining('_wpnonce=') },
    ],
  ])('%s', (_, given, capture) => {
    const { plan } = correlated(given);
    expect(stepOf(plan, 0)?.captures).toMatchObject([capture]);
    expect(JSON.stringify(stepOf(plan, 1))).toContain('{{');
  });
});

describe('captureByTwo does not capture', () => {
  it.each<[string, Case]>([
    [
      'a word at a place that changes by chance',
      {
        first: { text: '<title>red</title><p data-colour="red">1</p>' },
        second: { text: '<title>blue</title><p data-colour="blue">1</p>' },
        step: { method: 'POST', path: '/', form: { team: 'red' } },
        sent: { method: 'POST', headers: FORM, body: 'team=red' },
      },
    ],
    [
      'a page number that equals an unrelated changing number',
      {
        first: { text: '{"unread":2,"total":40}' },
        second: { text: '{"unread":3,"total":40}' },
        step: { path: '/list?page=2' },
        sent: { url: '/list?page=2' },
      },
    ],
    [
      'a number that moved to another position of a list',
      {
        first: { text: '{"items":[{"id":48151},{"id":48152}]}' },
        second: { text: '{"items":[{"id":48140},{"id":48151}]}' },
        step: { path: '/items/48151' },
        sent: { url: '/items/48151' },
      },
    ],
    [
      'text that a person entered and the page repeats',
      {
        first: { text: '<input name="date" value="2026-11-26">' },
        second: { text: '<input name="date" value="2026-11-26">' },
        step: { method: 'POST', path: '/', form: { date: '2026-11-26' } },
        sent: { method: 'POST', headers: FORM, body: 'date=2026-11-26' },
      },
    ],
  ])('%s', (_, given) => {
    const { plan, captured } = correlated(given);
    expect(captured).toEqual([]);
    expect(stepOf(plan, 0)?.captures).toBeUndefined();
  });
});
