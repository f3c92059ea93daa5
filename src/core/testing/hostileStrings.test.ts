import { expect, it } from 'vitest';
import { HOSTILE_STRINGS, newString, TERMINAL_HARM } from './hostileStrings.ts';

const bytesOf = (wire: string): Uint8Array => Uint8Array.from(wire, (letter) => letter.codePointAt(0) ?? 0);

it('hostile strings: are written as UTF-8 if well-formed, and otherwise as bytes that decoders replace', () => {
  for (const { text, wire } of HOSTILE_STRINGS) {
    const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(wire));
    if (wire !== text && text.isWellFormed()) expect(decoded).toBe(text);
    else if (/[\u0080-\uffff]/.test(text)) expect(decoded).toContain('\ufffd');
  }
});

it('hostile strings: include every kind of text that harms a terminal, which TERMINAL_HARM recognizes', () => {
  const harmful = HOSTILE_STRINGS.filter(({ text }) => TERMINAL_HARM.test(text)).map(({ name }) => name);
  for (const name of [
    'cursor sequence',
    'clipboard sequence',
    'eight bit sequence',
    'bidirectional marks',
    'separators of lines',
    'zero byte',
  ])
    expect(harmful).toContain(name);
  expect(TERMINAL_HARM.test('Grüße\tan 東京 ✓\n')).toBe(false);
});

it('hostile strings: differ in each run of the generator', () => {
  expect(new Set(Array.from({ length: 10_000 }, (_, number) => newString(number))).size).toBe(10_000);
});
