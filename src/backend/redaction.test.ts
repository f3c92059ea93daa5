import { describe, expect, it } from 'vitest';
import { createRedaction } from './redaction.ts';

const secret = 'p&ss "wörd"/1';

describe('createRedaction', () => {
  const redaction = createRedaction();
  redaction.add(secret);
  redaction.add('abc');

  it.each([
    ['as it is', secret],
    ['URL-encoded', encodeURIComponent(secret)],
    ['form-encoded', new URLSearchParams({ field: secret }).toString()],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in JSON', JSON.stringify({ secret })],
  ])('redacts a secret %s', (_look, text) => {
    const clean = redaction.text(`before ${text} after`);
    expect(clean).toMatch(/^before .*\[secret\].* after$/);
    expect(clean).not.toMatch(/w.*rd/);
  });

  it('redacts values but not member names', () => {
    expect(redaction.value({ a: [secret, 1, null], [secret]: 2 })).toEqual({ a: ['[secret]', 1, null], [secret]: 2 });
  });

  it('does not redact values that are too short to be secret', () => {
    expect(redaction.text('abcdef')).toBe('abcdef');
  });
});
