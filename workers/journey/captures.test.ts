import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { captureSchema } from '#core/plan/schema/journey.ts';
import { createCapturer } from './captures.ts';

it('createCapturer: a captured value does not keep its page in memory', async () => {
  const script = new URL('testing/heapOfKept.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script]);
  const kept: unknown = JSON.parse(stdout);
  const small = expect.toSatisfy((bytes: number | null) => bytes !== null && bytes < 10_000);
  expect(kept).toEqual(
    Object.fromEntries(['body', 'between', 'last', 'random', 'all', 'html', 'header', 'cookie'].map((name) => [name, small])),
  );
});

describe('a capture from JSON with [*]', () => {
  const take = (capture: object, text: string): unknown =>
    createCapturer(captureSchema.parse({ from: 'json', as: 'it', ...capture }))(
      { bodyBytes: text.length, body: null, contentEncoding: undefined, contentType: undefined, header: () => undefined, text: () => text },
      { cookie: () => null, known: () => null, draw: () => 0.5, url: null },
    );
  const items = '{"items":[{"id":1},{"name":"x"},{"id":"b"},{"id":null},{"id":{"c":2}}]}';

  it.each<[object, string, unknown]>([
    [{ path: '$.items[*].id' }, items, '1'],
    [{ path: '$.items[*].id', which: 'last' }, items, '{"c":2}'],
    [{ path: '$.items[*].id', which: 'random' }, items, 'b'],
    [{ path: '$.items[*].id', which: 'all' }, items, ['1', 'b', '{"c":2}']],
    [{ path: '$.items[*].id', typed: true }, items, '[1,"b",null,{"c":2}]'],
    [{ path: '$.items[*]["constructor"]' }, items, null],
    [{ path: '$.items[*].id' }, '{"items":{"0":{"id":1}}}', null],
    [{ path: '$[*].id', which: 'all', mayBeEmpty: true }, '[]', []],
  ])('%j takes a value of the items of a list', (capture, text, expected) => {
    expect(take(capture, text)).toEqual(expected);
  });
});

describe('createCapturer for texts', () => {
  const page = '<a href="../../../italia/tasks/b&amp;c/statements/it/b.pdf">PDF</a> <a href="http://elsewhere.example/x">x</a>';
  const take = (capture: object): unknown =>
    createCapturer(captureSchema.parse({ from: 'body', as: 'it', ...capture }))(
      {
        bodyBytes: page.length,
        body: null,
        contentEncoding: undefined,
        contentType: undefined,
        header: () => '../submissions?id=7',
        text: () => page,
      },
      {
        cookie: () => null,
        known: (name) => (name === 'earlier' ? ['PDF', '7'] : null),
        draw: () => 0.5,
        url: new URL('http://127.0.0.1:1/italia/tasks/b/description'),
      },
    );

  it.each([
    [
      'takes a link relative to its page',
      { pattern: 'href="([^"]*/statements/[^"]*)"', html: true, address: true },
      '/italia/tasks/b&c/statements/it/b.pdf',
    ],
    ['takes a link from a header', { from: 'header', name: 'location', address: true }, '/italia/tasks/submissions?id=7'],
    ['takes no link to another server', { pattern: 'href="(http:[^"]*)"', address: true }, null],
    [
      'takes all links to this server',
      { pattern: 'href="([^"]*)"', address: true, which: 'all' },
      ['/italia/tasks/b&amp;c/statements/it/b.pdf'],
    ],
    ['takes the first value that is not in a list', { pattern: '>([^<]+)</a>', unlike: 'earlier' }, 'x'],
    ['takes all values that are not in a list', { pattern: '>([^<]+)</a>', unlike: 'earlier', which: 'all' }, ['x']],
    ['takes nothing if all values are in the list', { pattern: '>(PDF)<', unlike: 'earlier' }, null],
    ['takes any value if the list is unknown', { pattern: '>(PDF)<', unlike: 'other' }, 'PDF'],
    ['takes the default if nothing is found', { pattern: '<select>', otherwise: '.cpp' }, '.cpp'],
  ])('%s', (_, capture, taken) => expect(take(capture)).toEqual(taken));
});

describe('createCapturer for login forms', () => {
  const take = (part: string, page: string, cookies: Record<string, string> = {}): unknown =>
    createCapturer(captureSchema.parse({ from: 'loginForm', as: 'it', part }))(
      { bodyBytes: page.length, body: null, contentEncoding: undefined, contentType: undefined, header: () => undefined, text: () => page },
      { cookie: (name) => cookies[name] ?? null, draw: () => 0, url: new URL('http://127.0.0.1:1/accounts/login/?next=/a') },
    );
  const django = `<form method="get"><input name="q"></form><form method="post"><input type="hidden" name="csrf" value="a&amp;b">
    <input name="username" autocomplete="username"><input type="password" name="password"><input type="hidden" name="next" value="/a b">
    <button type="submit">Log in</button></form>`;

  it('takes the action, both field names and the other fields', () => {
    expect(['action', 'username', 'password', 'others'].map((part) => take(part, django))).toEqual([
      '/accounts/login/?next=/a',
      'username',
      'password',
      'csrf=a%26b&next=%2Fa+b',
    ]);
    expect(take('action', django.replace('method="post"', 'method="post" action="../in"'))).toBe('/accounts/in');
  });

  it('includes the token that a script copies from a cookie', () => {
    const form = '<form method="post"><input name="user"><input type="password" name="pass"></form>';
    expect(take('others', form, { _xsrf: '2|x' })).toBe('_xsrf=2%7Cx');
    expect(take('others', form)).toBe('');
  });

  it('finds no form in pages without a password field, for forms that scripts send, and for other servers', () => {
    expect(() => take('action', '<form method="post"><input name="user"></form>')).toThrow(
      expect.objectContaining({ code: 'NO_LOGIN_FORM' }),
    );
    expect(() => take('action', '<form><input type="password" name="p"></form>')).toThrow(
      expect.objectContaining({ code: 'NO_LOGIN_FORM' }),
    );
    expect(take('action', django.replace('method="post"', 'method="post" action="http://elsewhere.example/"'))).toBeNull();
  });
});

describe('createCapturer for links', () => {
  const away = '<a href="http://elsewhere.example/x">x</a>';
  const page = `${away}<a href="a">a</a>${away}${away}<a href="b">b</a><a href="mailto:ada@a.example">m</a>`;
  const links = { from: 'body', as: 'it', pattern: 'href="([^"]+)"', address: true };
  const json = { from: 'json', as: 'it', path: '$.links', address: true };
  const list = JSON.stringify({ links: [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link) });
  const take = (capture: object, text: string, draw: number): unknown =>
    createCapturer(captureSchema.parse(capture))(
      { bodyBytes: text.length, body: null, contentEncoding: undefined, contentType: undefined, header: () => undefined, text: () => text },
      { cookie: () => null, draw: () => draw, url: new URL('http://127.0.0.1:1/') },
    );

  it.each([
    ['the first', 'first', 0.5, '/a'],
    ['the last', 'last', 0.5, '/b'],
    ['a random one, drawn low', 'random', 0.01, '/a'],
    ['a random one, drawn just below the middle', 'random', 0.49, '/a'],
    ['a random one, drawn high', 'random', 0.99, '/b'],
    ['all', 'all', 0.5, ['/a', '/b']],
  ])('takes %s', (_, which, draw, taken) => {
    expect(take({ ...links, which }, page, draw)).toEqual(taken);
    expect(take({ ...json, which }, list, draw)).toEqual(taken);
    const nowhere = take({ ...links, which }, away, draw);
    expect(nowhere).toBeNull();
  });
});

describe('createCapturer with long or many values', () => {
  const take = (capture: object, page: string): unknown =>
    createCapturer(captureSchema.parse({ as: 'it', ...capture }))(
      { bodyBytes: page.length, body: null, contentEncoding: undefined, contentType: undefined, header: () => page, text: () => page },
      { cookie: () => page, draw: () => 0.999, url: null },
    );
  const long = 'x'.repeat(65_537);
  const many = '<a>'.repeat(1_001);

  it.each([
    ['refuses a long text', { from: 'between', after: '[', before: ']' }, `[${long}]`],
    ['refuses a long header', { from: 'header', name: 'x-token' }, long],
    ['refuses a long member', { from: 'json', path: '$.token' }, JSON.stringify({ token: long })],
    ['refuses a long object', { from: 'json', path: '$' }, JSON.stringify({ token: long })],
    ['refuses many texts', { from: 'body', pattern: '<(a)>', which: 'all' }, many],
    ['refuses many members', { from: 'json', path: '$.items', which: 'all' }, JSON.stringify({ items: Array<number>(1_001).fill(1) })],
    ['refuses long texts together', { from: 'between', after: '[', before: ']', which: 'all' }, `[${'x'.repeat(33_000)}]`.repeat(2)],
  ])('%s', (_, capture, page) => expect(() => take(capture, page)).toThrow(expect.objectContaining({ code: 'TOO_MUCH_CAPTURED' })));

  it('finds a single value among very many', () => {
    const page = Array.from({ length: 20_000 }, (_, index) => `<i${index}>`).join('');
    const capture = { from: 'body', pattern: '<(i\\d+)>' };
    expect(take({ ...capture, which: 'first' }, page)).toBe('i0');
    expect(take({ ...capture, which: 'last' }, page)).toBe('i19999');
    expect(take({ ...capture, which: 'random' }, page)).toBe('i19980');
  });
});

it.each([
  ['$.age', '33'],
  ['$.name', '"ada"'],
  ['$.tags', '["a","b"]'],
  ['$.none', null],
])('createCapturer: a typed capture of %s keeps the value as JSON: %s', (path, expected) => {
  const text = '{"age":33,"name":"ada","tags":["a","b"]}';
  const response = {
    bodyBytes: text.length,
    body: null,
    contentEncoding: undefined,
    contentType: undefined,
    header: () => undefined,
    text: () => text,
  };
  const context = { cookie: () => null, known: () => null, draw: () => 0.5, url: null };
  expect(createCapturer(captureSchema.parse({ from: 'json', as: 'it', path, typed: true }))(response, context)).toBe(expected);
});
