import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { captureSchema } from '#core/plan/schema/journey.ts';
import { capturerOf } from './captures.ts';

it('what is kept of a page is not the page', async () => {
  const script = new URL('testing/heapOfKept.ts', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script]);
  const kept: unknown = JSON.parse(stdout);
  const small = expect.toSatisfy((bytes: number | null) => bytes !== null && bytes < 10_000);
  expect(kept).toEqual(
    Object.fromEntries(['body', 'between', 'last', 'random', 'all', 'html', 'header', 'cookie'].map((name) => [name, small])),
  );
});

describe('what a capture takes', () => {
  const page = '<a href="../../../italia/tasks/b&amp;c/statements/it/b.pdf">PDF</a> <a href="http://elsewhere.example/x">x</a>';
  const take = (capture: object): unknown =>
    capturerOf(captureSchema.parse({ from: 'body', as: 'it', ...capture }))(
      {
        bodyBytes: page.length,
        body: null,
        contentEncoding: undefined,
        contentType: undefined,
        header: () => '../submissions?id=7',
        text: () => page,
      },
      { cookie: () => null, draw: () => 0.5, url: new URL('http://127.0.0.1:1/italia/tasks/b/description') },
    );

  it.each([
    [
      'a link, seen from its page',
      { pattern: 'href="([^"]*/statements/[^"]*)"', html: true, address: true },
      '/italia/tasks/b&c/statements/it/b.pdf',
    ],
    ['a header that is a link', { from: 'header', name: 'location', address: true }, '/italia/tasks/submissions?id=7'],
    ['no link to another server', { pattern: 'href="(http:[^"]*)"', address: true }, null],
    [
      'of all links those on this server',
      { pattern: 'href="([^"]*)"', address: true, which: 'all' },
      ['/italia/tasks/b&amp;c/statements/it/b.pdf'],
    ],
    ['what stands for nothing found', { pattern: '<select>', otherwise: '.cpp' }, '.cpp'],
  ])('%s', (_, capture, taken) => expect(take(capture)).toEqual(taken));
});

describe('what is captured is bounded', () => {
  const take = (capture: object, page: string): unknown =>
    capturerOf(captureSchema.parse({ as: 'it', ...capture }))(
      { bodyBytes: page.length, body: null, contentEncoding: undefined, contentType: undefined, header: () => page, text: () => page },
      { cookie: () => page, draw: () => 0.999, url: null },
    );
  const long = 'x'.repeat(65_537);
  const many = '<a>'.repeat(1_001);

  it.each([
    ['one text', { from: 'between', after: '[', before: ']' }, `[${long}]`],
    ['a header', { from: 'header', name: 'x-token' }, long],
    ['a member', { from: 'json', path: '$.token' }, JSON.stringify({ token: long })],
    ['an object', { from: 'json', path: '$' }, JSON.stringify({ token: long })],
    ['many texts', { from: 'body', pattern: '<(a)>', which: 'all' }, many],
    ['many members', { from: 'json', path: '$.items', which: 'all' }, JSON.stringify({ items: Array<number>(1_001).fill(1) })],
    ['long texts together', { from: 'between', after: '[', before: ']', which: 'all' }, `[${'x'.repeat(33_000)}]`.repeat(2)],
  ])('%s', (_, capture, page) => expect(() => take(capture, page)).toThrow(expect.objectContaining({ code: 'TOO_MUCH_CAPTURED' })));

  it('and one of very many is still found', () => {
    const page = Array.from({ length: 100_000 }, (_, index) => `<i${index}>`).join('');
    const capture = { from: 'body', pattern: '<(i\\d+)>' };
    expect(take({ ...capture, which: 'first' }, page)).toBe('i0');
    expect(take({ ...capture, which: 'last' }, page)).toBe('i99999');
    expect(take({ ...capture, which: 'random' }, page)).toBe('i99900');
  });
});
