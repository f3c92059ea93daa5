import { expect, it } from 'vitest';
import { parseTemplate } from '#core/plan/secrets.ts';
import { jsonText } from './walked.ts';

it('writes braces that stand for nothing as JSON that a server can read', () => {
  const sent = parseTemplate(jsonText({ a: String.raw`\{{x}}`, b: String.raw`C:\\{{y}}` })).join('');
  expect(JSON.parse(sent)).toEqual({ a: '{{x}}', b: String.raw`C:\{{y}}` });
});

it('writes a value without its quotes where only it stands there', () => {
  expect(jsonText({ a: '{{ n | raw }}', b: 'n{{n|raw}}', c: ['{{n}}'] })).toBe('{"a":{{ n | raw }},"b":"n{{n|raw}}","c":["{{n}}"]}');
});
