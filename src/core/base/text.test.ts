import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bareName,
  capitalize,
  csvField,
  csvLines,
  exportName,
  fileSafe,
  flatCopy,
  quote,
  systemName,
  visibleLine,
  visibleText,
} from './text.ts';

describe('visibleText', () => {
  it.each([
    ['an escape sequence', '\u001b[2J\u001b]0;title\u0007', String.raw`\u001b[2J\u001b]0;title\u0007`],
    ['a carriage return, which would overwrite a line', 'good\rbad', String.raw`good\u000dbad`],
    ['a C1 control character, which alone begins a sequence', '\u009b31m', String.raw`\u009b31m`],
    ['a direction override', 'a\u202etxt.exe\u2066', String.raw`a\u202etxt.exe\u2066`],
    ['separators of lines and of paragraphs', 'a\u2028b\u2029c', String.raw`a\u2028b\u2029c`],
    ['zero-width characters', 'ad\u200bmin\ufeff', String.raw`ad\u200bmin\ufeff`],
    ['an unpaired surrogate', 'a\ud800b', String.raw`a\ud800b`],
    ['tag characters', '\u{e0041}', String.raw`\udb40\udc41`],
  ])('shows %s', (_what, text, shown) => expect(visibleText(text)).toBe(shown));

  it('keeps ordinary text, line feeds and tabs', () => {
    const text = 'Zoë\t“größer” → 1 234\nΕλλάδα 日本 👍 é';
    expect(visibleText(text)).toBe(text);
  });

  it('keeps the value of JSON, and is idempotent', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
        expect(JSON.parse(visibleText(json))).toEqual(JSON.parse(json));
        expect(visibleText(visibleText(json))).toBe(visibleText(json));
      }),
    );
  });
});

describe('visibleLine', () => {
  it('returns a text on one line, with control characters escaped', () => {
    expect(visibleLine('a\tb\nc\r\u202ed')).toBe(String.raw`a\tb\nc\u000d\u202ed`);
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(visibleLine(text))));
  });
});

describe('csvField and csvLines', () => {
  it.each([
    [null, ''],
    [-1.5, '-1.5'],
    ['plain text', 'plain text'],
    ['a,b', '"a,b"'],
    ['say "so"', '"say ""so"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@a', "'@a"],
    ['\ta', "'\ta"],
    ['a=1', 'a=1'],
  ])('write %j as a field', (value, field) => expect(csvField(value)).toBe(field));

  it('join fields with commas and end each line in CRLF', () => {
    const rows = [
      ['a', 1],
      [null, 'b,c'],
    ];
    expect(csvLines(rows)).toBe('a,1\r\n,"b,c"\r\n');
  });
});

describe('exportName and fileSafe', () => {
  it.each([
    ['Will it hold?', 'will-it-hold'],
    ['  --Über/größe 10--', 'über-größe-10'],
    ['ﬁne ①', 'fine-1'],
    ['日本', '日本'],
    ['???', 'run'],
    ['', 'run'],
    ['x'.repeat(70), 'x'.repeat(60)],
  ])('turn %j into %j', (name, safe) => expect(fileSafe(name)).toBe(safe));

  it('include the name and the id of a run', () => {
    expect(exportName({ name: 'My Test', id: '2026-a' })).toBe('holdfast-my-test-2026-a');
  });
});

it('bareName: ignores case, spaces and signs', () => {
  expect(['First Name', 'first_name', 'FIRST-NAME', 'ß1'].map(bareName)).toEqual(['firstname', 'firstname', 'firstname', '1']);
});

it('quote escapes control characters, capitalize accepts an empty text, and flatCopy returns an equal text', () => {
  expect([quote('a\nb'), capitalize('so it is'), capitalize('')]).toEqual([String.raw`“a\nb”`, 'So it is', '']);
  expect([flatCopy('é"\n'), flatCopy('')]).toEqual(['é"\n', '']);
});

it('systemName: returns the common name of a known system, and Node’s name of any other', () => {
  const names = ['linux', 'darwin', 'win32 10.0.1 x64', 'freebsd', '__proto__', ''].map(systemName);
  expect(names).toEqual(['Linux', 'macOS', 'Windows 10.0.1 x64', 'freebsd', '__proto__', '']);
});
