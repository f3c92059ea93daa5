// Prints how much memory each user needs for pages of 100 kB after a small value was captured. Needs --expose-gc.
import { captureSchema } from '#core/plan/schema/journey.ts';
import type { SeenResponse } from '#workers/bodyCheck/keptResponse.ts';
import { CookieJar } from '#core/work/journey/cookieJar.ts';
import { createCapturer } from '../captures.ts';

const VISITORS = 200;
const PAGE_BYTES = 100_000;
const TOKEN = 'a-token-of-about-forty-characters-or-so';

const filled = (text: string, index: number): Buffer => Buffer.from(text.padEnd(PAGE_BYTES, `${index} `));
const buildPage = (index: number): Buffer => filled(`<input value="${TOKEN}${index}"><input value="${TOKEN}&amp;${index}">`, index);
const headerOf = (index: number): Buffer => filled(`csrf=${TOKEN}${index};domain=shop.example.org;path=/a/long/enough/path;note=`, index);

function seen(page: Buffer): SeenResponse {
  return {
    bodyBytes: page.length,
    body: page,
    contentEncoding: undefined,
    contentType: 'text/html',
    header: () => page.toString('latin1'),
    text: () => new TextDecoder().decode(page),
  };
}

function capturing(capture: object): (index: number) => unknown {
  const take = createCapturer(captureSchema.parse({ as: 'token', ...capture }));
  const context = { cookie: () => null, draw: () => 0.5, url: null };
  return (index) => take(seen('pattern' in capture && 'name' in capture ? headerOf(index) : buildPage(index)), context);
}

const url = new URL('https://shop.example.org/');
const between = { from: 'between', after: 'value="', before: '"' };
const KEPT: Readonly<Record<string, (index: number) => unknown>> = {
  body: capturing({ from: 'body', pattern: 'value="([^"]+)"' }),
  between: capturing(between),
  last: capturing({ ...between, which: 'last' }),
  random: capturing({ ...between, which: 'random' }),
  all: capturing({ ...between, which: 'all' }),
  html: capturing({ ...between, html: true }),
  header: capturing({ from: 'header', name: 'x-token', pattern: 'csrf=([^;]+)' }),
  cookie(index) {
    const jar = new CookieJar();
    jar.take([headerOf(index).toString('latin1')], url, 0);
    return jar;
  },
};

const bytes = Object.entries(KEPT).map(([name, take]) => {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: VISITORS }, (_, index) => take(index));
  globalThis.gc?.();
  const each = (process.memoryUsage().heapUsed - before) / VISITORS;
  return [name, kept.includes(null) ? null : each];
});
process.stdout.write(JSON.stringify(Object.fromEntries(bytes)));
