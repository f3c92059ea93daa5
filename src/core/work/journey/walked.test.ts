import { expect, it } from 'vitest';
import { parseTemplate } from '#core/plan/secrets.ts';
import { jsonText } from './walked.ts';

it('jsonText: writes escaped braces as valid JSON', () => {
  const sent = parseTemplate(jsonText({ a: String.raw`\{{x}}`, b: String.raw`C:\\{{y}}` })).join('');
  expect(JSON.parse(sent)).toEqual({ a: '{{x}}', b: String.raw`C:\{{y}}` });
});

it('jsonText: writes a raw placeholder without quotes', () => {
  expect(jsonText({ a: '{{ n | raw }}', b: 'n{{n|raw}}', c: ['{{n}}'] })).toBe('{"a":{{ n | raw }},"b":"n{{n|raw}}","c":["{{n}}"]}');
});
