import { uniformAt } from '#core/statistics/uniformAt.ts';

/** Texts that break parsers: quotes, delimiters, special names and extreme numbers. */
const PIECES = [
  '"',
  "'",
  '`',
  '\\',
  '\\\n',
  '$(',
  '${',
  '}}',
  '{{',
  '{{x}}',
  '\\{{',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '</',
  '/>',
  '&',
  '&amp;',
  ';',
  '|',
  '^',
  '^"',
  '\n',
  '\r\n',
  '\t',
  '\0',
  '\ufeff',
  '\ue000',
  '\ud800',
  '😀',
  '__proto__',
  '"__proto__":{"polluted":1},',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'null',
  'true',
  '-1',
  '0',
  '1e999',
  'NaN',
  '99999999999999999999',
  '0x10',
  '-',
  '--',
  '-H',
  '-d',
  '-c',
  '@',
  '@/etc/passwd',
  'http://',
  'https://[::1',
  'file:///etc/passwd',
  '//evil.example/',
  '%',
  '%00',
  '%zz',
  ' ',
  '  - ',
  ': ',
  '#',
  '&a',
  '*a',
  '!!js/function',
  '<!ENTITY x SYSTEM "file:///etc/passwd">',
  '&x;',
  'A'.repeat(300),
  '('.repeat(40),
  '(a+)+$',
  '$..*',
  '?',
];

/** Draws a deterministic integer from 0 to `below` - 1. */
export type Draw = (below: number) => number;

export function createDraw(seed: number): Draw {
  let index = 0;
  return (below) => Math.floor(uniformAt(seed, (index += 1)) * below);
}

const VALUES: readonly unknown[] = [null, 0, -1, 1e21, true, '', [], {}, [[]], [null, 1, 'x'], { key: 'x', value: null }];

/** Returns the text with one to six changes, which may insert parts of `others`. Half of the changes to JSON keep it valid. */
export function mutated(text: string, others: readonly string[], draw: Draw): string {
  if (text.startsWith('{') && draw(2) === 0) {
    let value: unknown = JSON.parse(text);
    for (let count = 1 + draw(4); count > 0; count -= 1) value = withChange(value, draw);
    return JSON.stringify(value);
  }
  let changed = text;
  for (let count = 1 + draw(6); count > 0; count -= 1) changed = once(changed, others, draw);
  return changed;
}

/** Returns the value with one member at a random position replaced, removed or renamed. */
function withChange(value: unknown, draw: Draw): unknown {
  if (typeof value !== 'object' || value === null || draw(12) === 0)
    return draw(2) === 0 ? VALUES[draw(VALUES.length)] : PIECES[draw(PIECES.length)];
  const members = Object.entries(value);
  if (members.length === 0) return VALUES[draw(VALUES.length)];
  const chosen = draw(members.length);
  const changed = members.flatMap(([name, member], index): [string, unknown][] => {
    if (index !== chosen) return [[name, member]];
    switch (draw(8)) {
      case 0:
        return [];
      case 1:
        return [[PIECES[draw(PIECES.length)] ?? name, member]];
      case 2:
        return [
          [name, member],
          [`${name}2`, member],
        ];
      default:
        return [[name, withChange(member, draw)]];
    }
  });
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}

function once(text: string, others: readonly string[], draw: Draw): string {
  const at = draw(text.length + 1);
  const length = draw(Math.min(60, text.length - at + 1));
  const part = text.slice(at, at + length);
  switch (draw(8)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length);
    case 1:
      return text.slice(0, at) + part.repeat(1 + draw(4)) + text.slice(at);
    case 2:
      return text.slice(0, at);
    case 3: {
      const other = others[draw(others.length)] ?? '';
      const from = draw(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + draw(200)) + text.slice(at + length);
    }
    case 4:
      return text.slice(0, at) + String.fromCharCode(32 + draw(95)) + text.slice(at + 1);
    case 5: {
      // Replaces the content of a string and keeps its quotes.
      const quote = text.indexOf('"', at);
      const end = quote < 0 ? -1 : text.indexOf('"', quote + 1);
      return end < 0 ? text : text.slice(0, quote + 1) + (PIECES[draw(PIECES.length)] ?? '') + text.slice(end);
    }
    default:
      return text.slice(0, at) + (PIECES[draw(PIECES.length)] ?? '') + text.slice(at);
  }
}
