import { Buffer } from 'node:buffer';
import { stringify } from 'node:querystring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, partsOfSecret, REDACTED, Redactor, redactValue, secretForms } from './redact.ts';

const SECRET = 'p4ss w&rd/"é"+';

describe('redactValue', () => {
  it.each([
    ['as plain text', `the password is ${SECRET}.`],
    ['as JSON', `{"password":${JSON.stringify(SECRET)}}`],
    ['in an address', `http://h/?p=${encodeURIComponent(SECRET)}&x=1`],
    ['in a form', stringify({ p: SECRET })],
    ['in an address as URL writes it', new URL(`http://h/?p=${encodeURIComponent(SECRET)}`).href],
    ['in lower-case percent-encoding', encodeURIComponent(SECRET).toLowerCase()],
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

  it('finds a secret as a browser encodes it in a form', () => {
    const secret = "it's ~*(a) secret!";
    expect(redactValue(new URLSearchParams({ p: secret }).toString(), [secret])).toBe(`p=${REDACTED}`);
  });

  it('does not change texts without secrets', () => {
    fc.assert(fc.property(fc.string(), (text) => void expect(redactValue(text, ['§ecret-value'])).toBe(text)));
    expect(redactValue('abc', [])).toBe('abc');
  });

  it('replaces the longer of two secrets first, and ignores very short ones', () => {
    expect(redactValue('token-and-more token', ['token', 'token-and-more'])).toBe(`${REDACTED} ${REDACTED}`);
    expect(redactValue('a text about aa', ['a', 'aa', ''])).toBe('a text about aa');
  });

  it('finds any secret in Base64 after any user name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), fc.string({ maxLength: 12 }), (secret, user) => {
        const header = Buffer.from(`${user}:${secret}`).toString('base64');
        expect(redactValue(header, [secret])).not.toBe(header);
      }),
    );
  });
});

describe('partsOfSecret and decode', () => {
  it.each<readonly [string, readonly string[]]>([
    ['open-sesame', ['open-sesame']],
    ['Bearer abc.def', ['Bearer abc.def', 'abc.def']],
    [' token  abc def ', [' token  abc def ', 'abc def ']],
    ['Basic YWRhOmxvdmVsYWNl', ['Basic YWRhOmxvdmVsYWNl', 'YWRhOmxvdmVsYWNl', 'ada:lovelace', 'lovelace']],
    ['Basic YWRhOmxvdmVsYQ==', ['Basic YWRhOmxvdmVsYQ==', 'YWRhOmxvdmVsYQ==', 'ada:lovela', 'lovela']],
    ['Basic not*base64', ['Basic not*base64', 'not*base64']],
    ['postgres://ada:pa%20ss@db/x', ['postgres://ada:pa%20ss@db/x', 'pa%20ss', 'pa ss']],
    ['sid=0123456789; lang=en', ['sid=0123456789; lang=en', '0123456789']],
    ['user=ada&password=open+sesame', ['user=ada&password=open+sesame', 'open+sesame', 'open sesame']],
    ['sid=1234567', ['sid=1234567']],
    [String.raw`{"key":"0123\"4567","n":"short"}`, [String.raw`{"key":"0123\"4567","n":"short"}`, String.raw`0123\"4567`]],
  ])('return the parts of %s', (secret, parts) => expect(partsOfSecret(secret)).toEqual(parts));

  it('decodes a form or an address, or leaves the text unchanged', () => {
    expect([decode('a+b%20c'), decode('100%')]).toEqual(['a b c', '100%']);
  });
});

describe('secretForms', () => {
  const forms = secretForms("a'b ~é");

  it.each([
    ['as plain text', "a'b ~é"],
    ['in an address', "a'b%20~%C3%A9"],
    ['as other encoders write it', 'a%27b%20%7E%C3%A9'],
    ['in a form', 'a%27b+%7E%C3%A9'],
    ['in lower case', 'a%27b%20%7e%c3%a9'],
    ['in HTML', 'a&#39;b ~é'],
    ['in hexadecimal', '612762207ec3a9'],
    ['in capitals', '612762207EC3A9'],
  ])('include the secret %s', (_where, form) => expect(forms).toContain(form));

  it('omit Base64 of very short secrets, which could match by chance', () => {
    expect(secretForms('abc')).not.toContain('YWJj');
    expect(secretForms('abcdef')).toContain('YWJjZGVm');
  });
});

describe('many secrets', () => {
  it('are found in one pass, the longest at each position', () => {
    const redactor = new Redactor('*');
    for (const secret of ['pass-1', 'pass-12', 'other', 'no', 'pass-1']) redactor.add(secret, { inBase64: false });
    expect(redactor.text('pass-12 pass-1 pass- other no')).toBe('* * pass- * no');
    expect(new Redactor().text('pass-1')).toBe('pass-1');
  });

  it('are searched for in Base64 only if there are at most 5,000', () => {
    const secrets = (count: number): string[] => Array.from({ length: count }, (_, index) => `secret-${index}`);
    const written = Buffer.from('secret-7').toString('base64');
    expect([redactValue(written, secrets(5_000)) === written, redactValue(written, secrets(5_001)) === written]).toEqual([false, true]);
    const growing = ['first-secret'];
    expect(redactValue('second-secret', growing)).toBe('second-secret');
    growing.push('second-secret');
    expect(redactValue('second-secret', growing)).toBe(REDACTED);
  });
});

/** Returns whether six consecutive bytes of the secret can be read from a text in any of its encodings. */
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
