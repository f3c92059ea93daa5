import { Buffer } from 'node:buffer';
import { stringify } from 'node:querystring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED, redactValue } from './redact.ts';

const SECRET = 'p4ss w&rd/"é"+';

describe('redactValue', () => {
  it.each([
    ['as it is', `the password is ${SECRET}.`],
    ['as JSON', `{"password":${JSON.stringify(SECRET)}}`],
    ['in an address', `http://h/?p=${encodeURIComponent(SECRET)}&x=1`],
    ['in a form', stringify({ p: SECRET })],
    ['in an address as URL writes it', new URL(`http://h/?p=${encodeURIComponent(SECRET)}`).href],
    ['in lower-case percents', encodeURIComponent(SECRET).toLowerCase()],
    ['with blanks as plus signs', encodeURIComponent(SECRET).replaceAll('%20', '+')],
    ['in HTML', SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in Base64', Buffer.from(SECRET).toString('base64')],
    ['in Base64 for addresses', Buffer.from(SECRET).toString('base64url')],
    ['in an Authorization header', `Basic ${Buffer.from(`alice:${SECRET}`).toString('base64')}`],
    ['after a longer name', `Basic ${Buffer.from(`bob:${SECRET}`).toString('base64')}`],
    ['after yet another', `Basic ${Buffer.from(`carol:${SECRET}:more`).toString('base64')}`],
  ])('finds a secret %s', (_, text) => {
    expect(redactValue(text, [SECRET])).toContain(REDACTED);
    expect(leaks(redactValue(text, [SECRET]))).toBe(false);
  });

  it('finds a secret in a form as a browser writes it', () => {
    const secret = "it's ~*(a) secret!";
    expect(redactValue(new URLSearchParams({ p: secret }).toString(), [secret])).toBe(`p=${REDACTED}`);
  });

  it('leaves every text without a secret as it was', () => {
    fc.assert(fc.property(fc.string(), (text) => void expect(redactValue(text, ['§ecret-value'])).toBe(text)));
    expect(redactValue('abc', [])).toBe('abc');
  });

  it('takes the longer of two secrets first and does not tear holes for tiny ones', () => {
    expect(redactValue('token-and-more token', ['token', 'token-and-more'])).toBe(`${REDACTED} ${REDACTED}`);
    expect(redactValue('a text about aa', ['a', 'aa', ''])).toBe('a text about aa');
  });

  it('finds any secret in Base64 behind any user name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), fc.string({ maxLength: 12 }), (secret, user) => {
        const header = Buffer.from(`${user}:${secret}`).toString('base64');
        expect(redactValue(header, [secret])).not.toBe(header);
      }),
    );
  });
});

/** Whether six bytes of the secret in a row can still be read from a text, decoded in the ways it may be written. */
function leaks(text: string): boolean {
  const decoded = [text, decodeLoosely(text), ...(text.match(/[\w+/-]{8,}/g) ?? []).map((part) => Buffer.from(part, 'base64').toString())];
  return decoded.some((form) => form.includes(SECRET.slice(0, 6)));
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
