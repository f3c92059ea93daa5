import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bodyCheckSchema } from '#core/plan/schema/step.ts';
import type { CheckedResponse } from './decodeBody.ts';
import { StepChecks } from './stepChecks.ts';

function toFailure(checks: readonly object[], body: string | Buffer | null, headers: Partial<CheckedResponse> = {}): string | null {
  const bytes = body === null ? null : Buffer.from(body);
  return new StepChecks(checks.map((check) => bodyCheckSchema.parse(check))).findFirstFailure({
    bodyBytes: bytes?.length ?? 0,
    body: bytes,
    contentEncoding: undefined,
    contentType: undefined,
    ...headers,
  });
}

describe('StepChecks', () => {
  it.each<[object, string, string, string]>([
    [{ kind: 'contains', text: 'Grüße' }, 'viele Grüße', 'viele Grusse', 'TEXT_MISSING “Grüße”@check'],
    [{ kind: 'contains', text: 'error', not: true }, 'fine', 'an error', 'TEXT_PRESENT “error”@check'],
    [{ kind: 'matches', pattern: '^b\\d', flags: 'm' }, 'a\nb1', 'a b1', 'NO_MATCH /^b\\d/m@check'],
    [{ kind: 'matches', pattern: 'x', not: true }, 'y', 'x', 'MATCH /x/@check'],
    [{ kind: 'json', path: '$.a[1]' }, '{"a": [0, null]}', '{"a": [0]}', 'JSON_DIFFERS $.a[1] is there@check'],
    [{ kind: 'json', path: '$.a', equals: 1 }, '{"a": 1}', '{"a": "1"}', 'JSON_DIFFERS $.a is 1@check'],
    [{ kind: 'json', path: '$', equals: null }, 'null', '0', 'JSON_DIFFERS $ is null@check'],
    [{ kind: 'json', path: '$.a', equals: 'x', not: true }, '{}', '{"a": "x"}', 'JSON_DIFFERS $.a is not "x"@check'],
    [{ kind: 'json', path: '$.a', not: true }, '{}', '{"a": false}', 'JSON_DIFFERS $.a is absent@check'],
    [{ kind: 'json', path: '$.a', not: true }, '{}', '<html>', 'NOT_JSON $.a is absent@check'],
    [{ kind: 'size', minBytes: 3 }, 'abc', 'ab', 'TOO_SMALL 3 B@check'],
    [{ kind: 'size', maxBytes: 2 }, 'ab', 'abc', 'TOO_LARGE 2 B@check'],
  ])('accept the good body and reject the bad one: %j', (check, good, bad, failure) => {
    expect(toFailure([check], good)).toBeNull();
    expect(toFailure([check], bad)).toBe(failure);
  });

  describe('of kind page', () => {
    const page = (title: string, body = '<h1>Hello</h1>'): string =>
      `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}`;
    const form = '<form method="post"><input name="user"><input type="password" name="pass"></form>';

    it.each([
      page('Lesson 1'),
      page('Sources of error | College'),
      page('Error analysis in physics', '<h1>Errors and how they add up</h1>'),
      page('Chapter 404'),
      page('Back to school', '<h1>Maintenance of machines</h1>'),
      page('The waiting room of Dr. Doe'),
      page('My account', '<form method="post"><input type="password" name="a"><input type="password" name="b"></form>'),
    ])('pass for a page with content: %s', (body) => expect(toFailure([{ kind: 'page' }], body)).toBeNull());

    it.each([
      [page('Error'), 'ERROR_PAGE “Error”@check'],
      [page('Server Error (500)'), 'ERROR_PAGE “Server Error (500)”@check'],
      [page('College', '<h1>Something went wrong</h1>'), 'ERROR_PAGE “Something went wrong”@check'],
      [page('404 Not Found'), 'ERROR_PAGE “404 Not Found”@check'],
      [page('Page not found – College'), 'ERROR_PAGE “Page not found”@check'],
      [page('Log in', form), 'LOGIN_FORM “Log in”@check'],
      [page('College', '<h1>We will be right back</h1>'), 'ERROR_PAGE “We will be right back”@check'],
      [page("We'll be back soon!"), "ERROR_PAGE “We'll be back soon!”@check"],
      [page('Scheduled maintenance – College'), 'ERROR_PAGE “Scheduled maintenance”@check'],
      [page('College', '<h1>The site is currently offline</h1>'), 'ERROR_PAGE “The site is currently offline”@check'],
      [page('Just a moment...'), 'ERROR_PAGE “Just a moment...”@check'],
      [page('Shop', '<h1>You are now in the queue</h1>'), 'ERROR_PAGE “You are now in the queue”@check'],
      [page('Waiting Room'), 'ERROR_PAGE “Waiting Room”@check'],
      [page('Server too busy'), 'ERROR_PAGE “Server too busy”@check'],
      [page('Wartungsarbeiten'), 'ERROR_PAGE “Wartungsarbeiten”@check'],
      ['{"status": "error"}', 'NO_PAGE HTML@check'],
      ['', 'NO_PAGE HTML@check'],
    ])('fail for an error page, a login form or no page: %s', (body, failure) => expect(toFailure([{ kind: 'page' }], body)).toBe(failure));

    it('pass for other content with mayBeOther, but not for error pages', () => {
      const check = { kind: 'page', mayHaveLogin: true, mayBeOther: true };
      for (const body of ['pong', '{"fine":true}', '', page('Log in', form)]) expect(toFailure([check], body)).toBeNull();
      expect(toFailure([check], page('Error'))).toBe('ERROR_PAGE “Error”@check');
    });

    it('fail with the shown error message if withoutErrors is set', () => {
      const refused = page('Issue 42', '<div class="flash error">Somebody else has &quot;changed&quot; it</div>');
      expect(toFailure([{ kind: 'page', withoutErrors: true }], refused)).toBe('SHOWS_ERROR Somebody else has "changed" it@check');
      expect(toFailure([{ kind: 'page' }], refused)).toBeNull();
      expect(toFailure([{ kind: 'page', withoutErrors: true }], page('Issue 42'))).toBeNull();
    });

    it('pass for a login form with mayHaveLogin', () => {
      expect(toFailure([{ kind: 'page', mayHaveLogin: true }], page('Home', form))).toBeNull();
    });
  });

  it('report the first failed check', () => {
    const checks = [
      { kind: 'contains', text: 'a' },
      { kind: 'contains', text: 'b' },
      { kind: 'contains', text: 'c' },
    ];
    expect(toFailure(checks, 'abc')).toBeNull();
    expect(toFailure(checks, 'a')).toBe('TEXT_MISSING “b”@check');
  });

  it('of size do not need the body', () => {
    const sized = new StepChecks([bodyCheckSchema.parse({ kind: 'size', minBytes: 1 })]);
    expect(sized.needsBody).toBe(false);
    expect(toFailure([{ kind: 'size', minBytes: 1 }], null, { bodyBytes: 5 })).toBeNull();
  });
});

describe('StepChecks with encoded bodies', () => {
  const check = [{ kind: 'contains', text: 'Grüße' }];
  const text = Buffer.from('viele Grüße');

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['identity', text],
    ['none', text],
    ['deflate, gzip', gzipSync(deflateSync(text))],
    ['deflate\ngzip', gzipSync(deflateSync(text))],
  ])('decompresses %s', (contentEncoding, body) => expect(toFailure(check, body, { contentEncoding })).toBeNull());

  it.each([
    ['text/html; charset=ISO-8859-1', Buffer.from('viele Grüße', 'latin1')],
    ['text/html;charset="latin1"', Buffer.from('viele Grüße', 'latin1')],
    ['text/html; charset=utf-16le', Buffer.from('viele Grüße', 'utf16le')],
    ['text/html; charset=UTF-8', text],
    ['text/html; charset=no-such-charset', text],
    ['text/html', text],
  ])('decodes text with the content type %s', (contentType, body) => expect(toFailure(check, body, { contentType })).toBeNull());

  it.each([
    ['an unknown coding', 'compress', text, 'NOT_DECODED its coding compress is unknown@check'],
    ['damaged gzip', 'gzip', text, 'NOT_DECODED damaged gzip@check'],
    ['truncated gzip', 'gzip', gzipSync(text).subarray(0, 15), 'NOT_DECODED damaged gzip@check'],
    ['too many codings', 'gzip,gzip,gzip,gzip,gzip', text, 'NOT_DECODED 5 codings@check'],
  ])('reports %s', (_name, contentEncoding, body, failure) => expect(toFailure(check, body, { contentEncoding })).toBe(failure));

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('rejects a decompression bomb: %s', (contentEncoding, pack) => {
    const bomb = pack(Buffer.alloc(68 * 1_048_576));
    expect(bomb.length).toBeLessThan(200_000);
    expect(toFailure(check, bomb, { contentEncoding })).toMatch(/^NOT_DECODED more than 6\d[\d.]* MB when unpacked@check$/);
  });

  it('reads a list that decompresses to 41 MB', () => {
    const list = gzipSync(`{"result":"success","data":["${'x'.repeat(41_000_000)}"]}`);
    const [result, last] = [
      { kind: 'json', path: '$.result', equals: 'success' },
      { kind: 'json', path: '$.data[1]' },
    ];
    expect(toFailure([result], list, { contentEncoding: 'gzip' })).toBeNull();
    expect(toFailure([result, last], list, { contentEncoding: 'gzip' })).toBe('JSON_DIFFERS $.data[1] is there@check');
  });

  it('reports a body that was too large to keep', () => {
    expect(toFailure(check, null, { bodyBytes: 9_000_000 })).toBe('NOT_KEPT 9 MB@check');
    expect(toFailure([{ kind: 'json', path: '$' }], null, { bodyBytes: 9_000_000 })).toMatch(/^NOT_KEPT/);
  });
});
