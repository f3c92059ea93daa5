import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeFor, formEncoded } from '#core/work/journey/escape.ts';
import { fillTemplate, hasPlaceholders, listPlaceholderNames, parseTemplate } from './secrets.ts';

describe('placeholders', () => {
  it('are names in double braces, with or without spaces', () => {
    expect(parseTemplate('/tasks/{{task}}/{{ cookie._xsrf }}?x={{a|raw}}')).toEqual([
      '/tasks/',
      { name: 'task', isRaw: false },
      '/',
      { name: 'cookie._xsrf', isRaw: false },
      '?x=',
      { name: 'a', isRaw: true },
    ]);
    expect(listPlaceholderNames('{{a}}{{b}}{{a}}')).toEqual(['a', 'b']);
  });

  it('are not any other text in braces', () => {
    for (const text of ['{{#if a}}', '{a}', '{{ }}', '{{7}}', '{"a":{"b":1}}', '\\{{name}}'])
      expect(hasPlaceholders(text), text).toBe(false);
    expect(parseTemplate('\\{{name}} {{name}}')).toEqual(['{{name}} ', { name: 'name', isRaw: false }]);
  });

  it('leave other text unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('{{'));
        expect(fillTemplate(parseTemplate(text), () => '')).toBe(text);
      }),
    );
  });
});

describe('values in their context', () => {
  const values = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());

  it('are escaped as one component of a URL', () => {
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(!/^(\.|\.\.)$/.test(value));
        const url = new URL(`http://host/a/${escapeFor('address', value)}/b?c=${escapeFor('address', value)}`);
        expect(url.pathname.split('/')).toHaveLength(4);
        expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(value);
        expect([...url.searchParams]).toEqual([['c', value.replaceAll('+', '+')]]);
      }),
    );
  });

  it('are encoded in a form as a browser encodes them', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(formEncoded(value)).toBe(new URLSearchParams({ a: value }).toString().slice(2));
      }),
    );
  });

  it('are escaped as one JSON string', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(JSON.parse(`{"a":"${escapeFor('json', value)}"}`)).toEqual({ a: value });
      }),
    );
  });

  it('cannot start another header', () => {
    expect(escapeFor('header', 'a\r\nSet-Cookie: b=1\0\tc')).toBe('a%0D%0ASet-Cookie: b=1%00\tc');
  });
});
