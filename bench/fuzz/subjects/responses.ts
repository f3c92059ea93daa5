import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { maskSample, type Sample } from '#core/work/samples/schema.ts';
import { chosenImage } from '#core/work/pages/chosenImage.ts';
import { readPage } from '#core/work/pages/readPage.ts';
import { readElements } from '#core/work/styles/elements.ts';
import { readSheet } from '#core/work/styles/readSheet.ts';
import { findStyledLinks } from '#core/work/styles/styledLinks.ts';
import { ageSeconds, cameFromCache } from '#core/measurement/cache/figures.ts';
import type { Capture } from '#core/plan/schema/journey.ts';
import { textOf, UnreadableBody } from '#workers/bodyCheck/decodeBody.ts';
import { createCapturer } from '#workers/journey/captures.ts';
import { CookieJar } from '#core/work/journey/cookieJar.ts';
import { toSampleMessage } from '#workers/sampling/sampler.ts';
import { CORPUS } from '#framer/testing/corpus.ts';
import { bytesOf, assertPromise, type Subject } from '../subject.ts';

const HTML = [
  '<',
  '>',
  '</',
  '<!--',
  '-->',
  '<div>',
  '<a href="',
  '<base href="//x/">',
  '<title>',
  '</title>',
  '<noscript>',
  '<template>',
  '<script>',
  '"',
  "'",
  '&amp;',
  '&#x110000;',
  '<img srcset="a 1x, b 2x">',
  '<link rel=stylesheet href=a>',
  '\u2028',
  'javascript:',
  '//',
  'http://[::1',
];
const CSS = [
  '{',
  '}',
  ';',
  ':',
  '(',
  ')',
  '"',
  "'",
  '\\',
  '/*',
  '*/',
  'url(',
  '@import "',
  '@media print{',
  '@font-face{',
  'var(--a)',
  '::before',
  ':not(',
  '&',
  ',',
];
const SHEET =
  '@import "a.css" screen; @font-face { font-family: f; src: url(f.woff2) format("woff2"); unicode-range: U+0-FF } :root { --a: url(b.png) } p > a[href^="c"]:not(.d)::before { content: "x"; background: image-set("e.png" 1x, url(f.png) 2x), var(--a); font: 1em/2 f }';
const PAGE =
  '<!doctype html><title>A &amp; B</title><base href="/x/"><link rel="stylesheet" href="a.css"><script src="b.js"></script><a href="c?d=e#f">c</a><img src=d.png srcset="e.png 2x, f.png 3x"><form><input name="csrf" value="t0k&quot;en"></form>';
const JSON_BODY = '{"items":[{"id":1,"token":"a"},{"id":2,"token":"b"}],"__proto__":{"x":1}}';

function captureSubject(name: string, all: readonly Capture[], seeds: readonly string[], tokens: readonly string[]): Subject {
  const capturers = all.map(createCapturer);
  return {
    name,
    seeds,
    tokens,
    // Thrown if a page is longer than what is kept of it.
    isDocumented: (thrown) => thrown instanceof UnreadableBody,
    read(input) {
      const response = {
        bodyBytes: input.length,
        body: null,
        contentEncoding: undefined,
        contentType: undefined,
        text: () => input,
        header: () => input,
      };
      return capturers.map((capture) => capture(response, { cookie: () => null, url: null, draw: () => 0.5 }));
    },
  };
}

const ALL_MATCHES = { which: 'all', html: true, flags: '' } as const;
const URL_OF_PAGE = new URL('http://a.example/b/c');
const NOW_MS = Date.UTC(2026, 0, 1);
const makeSample = (text: string): Sample => ({
  request: 'a',
  failure: text.slice(0, 200),
  sent: { head: text, body: text, bodyBytes: text.length, isCut: false },
  received: { head: text, body: text, bodyBytes: text.length, isCut: false },
  serviceMs: 1,
  captured: [{ name: 'x', value: text }],
});

export const RESPONSES: readonly Subject[] = [
  {
    name: 'page',
    seeds: [PAGE],
    tokens: HTML,
    read(input) {
      const page = readPage(input, URL_OF_PAGE.href);
      assertPromise(page.title.length <= 200 && page.resources.length <= 500 && page.pages.length <= 500, 'more is kept than allowed');
      assertPromise(
        [...page.resources.map(({ url }) => url), ...page.pages].every((url) => /^https?:/.test(url)),
        'a link is none of HTTP',
      );
      return page;
    },
  },
  {
    name: 'style sheet',
    seeds: [SHEET],
    tokens: CSS,
    read(input) {
      const sheet = readSheet(input, URL_OF_PAGE.href);
      const links = findStyledLinks(readElements(PAGE), [sheet], URL_OF_PAGE.href);
      assertPromise(sheet.imports.length <= 50 && links.length <= 500, 'more is kept than allowed');
      assertPromise(
        [...sheet.imports, ...links].every(({ url }) => /^https?:/.test(url)),
        'a link is none of HTTP',
      );
      return links;
    },
  },
  {
    name: 'elements of a page',
    seeds: [PAGE],
    tokens: HTML,
    read: (input) => findStyledLinks(readElements(input), [readSheet(SHEET, URL_OF_PAGE.href)], URL_OF_PAGE.href),
  },
  {
    name: 'srcset',
    seeds: ['a.png 1x, b.png 2x', 'a 100w, b 200w'],
    tokens: [',', ' ', '1x', '2w', 'data:,'],
    read: (input) => chosenImage('x', input),
  },
  captureSubject(
    'capture from HTML',
    [
      { as: 'a', from: 'between', after: 'value="', before: '"', ...ALL_MATCHES },
      { as: 'b', from: 'body', pattern: 'name="(\\w+)" value="([^"]*)"', ...ALL_MATCHES },
    ] as const satisfies readonly Capture[],
    [PAGE],
    HTML,
  ),
  captureSubject(
    'capture from JSON',
    [
      { as: 'a', from: 'json', path: '$.items[0].token', which: 'all' },
      { as: 'b', from: 'json', path: '$.items', which: 'all' },
    ] as const satisfies readonly Capture[],
    [JSON_BODY],
    ['{', '}', '[', ']', ',', '"', '"__proto__":', '\\u0000', '1e999'],
  ),
  {
    name: 'cookies',
    seeds: ['a=b; Path=/; Expires=Wed, 21 Oct 2027 07:28:00 GMT; Secure; HttpOnly', 'c=d; Domain=a.example; Max-Age=3600\ne=f'],
    tokens: [';', '=', '; Path=', '; Domain=', '; Max-Age=-1', '; Expires=', ',', ' ', '\n', '__proto__=x', '"'],
    read(input) {
      const jar = new CookieJar();
      jar.take(input.split('\n'), URL_OF_PAGE, NOW_MS);
      const header = jar.header(URL_OF_PAGE, NOW_MS);
      // eslint-disable-next-line no-control-regex -- control characters are exactly what must not pass
      assertPromise(header === null || !/[\u0000-\u0008\u000a-\u001f\u007f]/.test(header), 'a control character is in the header');
      return header;
    },
  },
  {
    name: 'cache words',
    seeds: ['HIT', 'MISS from a.example', '3600', 'cf; hit; ttl=3', '"x"; hit, y; fwd=miss'],
    tokens: [';', ',', 'hit', '=', '"', ' '],
    read: (input) => [cameFromCache(() => input), ageSeconds(() => input)],
  },
  {
    name: 'packed body',
    seeds: [gzipSync, deflateSync, deflateRawSync, brotliCompressSync, zstdCompressSync].map((pack) =>
      Buffer.from(pack(Buffer.from(PAGE))).toString('latin1'),
    ),
    tokens: ['\x1f\x8b', '\0', '\xff', '\x28\xb5\x2f\xfd'],
    // A decompressed body may be a thousand times as long as the input, but it has a limit of its own.
    fixedBytes: 64 * 1_048_576,
    isDocumented: (thrown) => thrown instanceof UnreadableBody,
    read(input) {
      const body = bytesOf(input);
      for (const contentEncoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, br'])
        try {
          textOf({ body, bodyBytes: body.length, contentEncoding, contentType: 'text/html; charset=x' });
        } catch (thrown) {
          if (!(thrown instanceof UnreadableBody)) throw thrown;
        }
      return null;
    },
  },
  {
    name: 'sample of a response',
    seeds: Object.values(CORPUS),
    tokens: ['\r\n', ': ', '\r\n\r\n', 'Content-Encoding: gzip\r\n', '\0', '0\r\n'],
    read: (input) => toSampleMessage(bytesOf(input)),
  },
  {
    name: 'masked sample',
    seeds: ['password=a&token=b', '{"secret":"x","a":1}', '<input name="csrf" value="x">', 'Cookie: a=b\nX: y'],
    tokens: ['password', '=', '&', '"', ':', '%', 'name="', 'value="', ' ', '\\', '-', '.', '\n'],
    longest: 16_384,
    read: (input) => maskSample(makeSample(input), ['x', 'y"z']),
  },
];
