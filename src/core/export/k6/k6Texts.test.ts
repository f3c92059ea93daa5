import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseValue } from '#core/review/check.ts';
import { playK6 } from '../testing/k6StandIn.ts';
import { k6Script } from './k6Script.ts';

const brief = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 1, seconds: 1 }] } as const;

describe('texts of a plan in a k6 script', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      '`${process.exit()}`',
      "'; boom(); '",
      '*/ boom() /*',
      '</script>',
      '\u2028\u2029',
      '\\',
      '\\u0041',
      '__proto__',
      '\n// x',
      '$&',
      "$'",
      'constructor',
    ),
  );
  const literal = (text: string): string => text.replaceAll('{{', '\\{{');

  it('are sent unchanged and never executed', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (name, field, text, check) => {
        const called = name.trim().slice(0, 60).trim() || 'step';
        const { plan } = parseValue({
          holdfast: 1,
          name: `${name} plan`.trim().slice(0, 120),
          story: text.slice(0, 100),
          targets: [{ url: 'http://127.0.0.1/' }],
          variables: { value: { kind: 'item', of: [text] } },
          journey: [
            {
              name: called,
              method: 'POST',
              path: `/a?x=${encodeURIComponent(literal(text).toWellFormed())}`,
              form: { [literal(field) || 'f']: `${literal(text)} {{value}}` },
            },
            {
              name: `${called.slice(0, 50)} too`,
              method: 'PUT',
              path: '/{{value}}',
              json: { [literal(field)]: [literal(text), '{{value}}'] },
            },
            {
              name: `${called.slice(0, 50)} three`,
              method: 'POST',
              body: literal(text),
              checks: [{ kind: 'contains', text: literal(check) || 'x', not: true }],
            },
          ],
          load: brief,
        });
        // Unusual characters in step names may be refused, which is tested elsewhere.
        fc.pre(plan !== null);
        const { script } = k6Script(plan);
        const { requests, errors } = playK6(script);
        expect(errors).toEqual([]);
        const [form, json, body] = requests;
        // Parsing a plan removes members named __proto__.
        expect(Object.entries(form?.body ?? {})).toEqual(field === '__proto__' ? [] : [[field || 'f', `${text} ${text}`]]);
        expect(JSON.parse(String(json?.body))).toEqual(field === '__proto__' ? {} : { [field]: [text, text] });
        expect(json?.url).toBe(
          `http://127.0.0.1/${encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}`,
        );
        expect(body?.body).toBe(text);
      }),
      { numRuns: 150 },
    );
  });
});
