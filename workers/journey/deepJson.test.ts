import { describe, expect, it } from 'vitest';
import { captureSchema } from '#core/plan/schema/journey.ts';
import { createCapturer } from './captures.ts';

const deep = (inside: string): string => '['.repeat(100_000) + inside + ']'.repeat(100_000);

describe('createCapturer for JSON', () => {
  const take = createCapturer(captureSchema.parse({ as: 'it', from: 'json', path: '$.a' }));
  const takeFrom = (text: string) =>
    take(
      {
        bodyBytes: text.length,
        body: Buffer.from(text),
        contentEncoding: undefined,
        contentType: undefined,
        text: () => text,
        header: () => undefined,
      },
      { cookie: () => null, draw: () => 0.5, url: null },
    );

  it('finds nothing in excessively nested JSON', () => {
    for (const inside of ['', '1', '{"0":1,"b":[1.5,null]}']) {
      expect(takeFrom(`{"a":${deep(inside)}}`)).toBeNull();
      expect(takeFrom(`{"a":{"b":${deep(inside)}}}`)).toBeNull();
    }
  });

  it('returns objects as JSON text', () => {
    expect(takeFrom('{"a":{"b":[1,{"c":null}]}}')).toBe('{"b":[1,{"c":null}]}');
  });
});
