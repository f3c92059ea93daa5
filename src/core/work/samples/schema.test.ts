import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { maskSample, type Sample } from './schema.ts';

function bodySample(body: string): Sample {
  const sent = { head: 'GET / HTTP/1.1', body: '', bodyBytes: 0, isCut: false };
  const received = { head: 'HTTP/1.1 200 OK', body, bodyBytes: body.length, isCut: false };
  return { request: 'home', failure: null, sent, received, serviceMs: 1, captured: [] };
}

const bodyOf = (body: string, known: readonly string[] = []): string => maskSample(bodySample(body), known).received?.body ?? '';

describe('maskSample', () => {
  it.each([
    ['a form', 'user=ada&user_password=hunter2', 'user=ada&user_password=•••'],
    ['JSON', '{"token" : "a\\"b", "n": 1}', '{"token" : "•••", "n": 1}'],
    ['a list in JSON', '{"tokens":["a","b"]}', '{"tokens":"•••"}'],
    ['a field of a page', '<input name="csrf" value="x1">', '<input name="csrf" value="•••">'],
    [
      'a field whose value comes first',
      "<input value='x1' type=hidden name='csrf_token'>",
      `<input value="•••" type=hidden name='csrf_token'>`,
    ],
    ['a field without quotes', '<input name=pin value=1234>', '<input name=pin value="•••">'],
  ])('masks %s', (_what, body, masked) => expect(bodyOf(body)).toBe(masked));

  it('masks the passwords of a long account list', () => {
    const known = Array.from({ length: 20_000 }, (_, index) => `contest-${index}-pass`);
    expect(bodyOf('hello contest-19999-pass and contest-7-pass!', known)).toBe('hello ••• and •••!');
  });

  // Masking must take linear time for any content that a server sends.
  it.each(['token', '"token', '&token', 'a=&token', '"token":"', '<a name="pin" ', '<input ', '"a"   ', 'name="pin"', 'x'])(
    'takes linear time for repeated %j',
    (unit) => {
      const bodies = new Map([40_000, 160_000].map((letters) => [letters, unit.repeat(letters / unit.length)]));
      expect(measureGrowth((letters) => void bodyOf(bodies.get(letters) ?? ''), 40_000)).toBeLessThan(MAX_GROWTH);
    },
  );
});
