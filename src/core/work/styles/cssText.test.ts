import { describe, expect, it } from 'vitest';
import { parseUrl, findClosing, depthAfter, endOfToken, splitList, parseString, unescapeCss, resolveAddresses } from './cssText.ts';
import { listPictures, replaceVariables } from './declarations.ts';

/** Splits a text into tokens. */
function tokens(css: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < css.length;) {
    const end = endOfToken(css, at);
    found.push(css.slice(at, end));
    at = end;
  }
  return found;
}

describe('endOfToken', () => {
  it.each([
    ['a/*b*/c', ['a', '/*b*/', 'c']],
    ['/*open', ['/*open']],
    ['/a', ['/', 'a']],
    [`"a'b"'c"'`, [`"a'b"`, `'c"'`]],
    [String.raw`"a\"b"c`, [String.raw`"a\"b"`, 'c']],
    ['"a\nb', ['"a', '\n', 'b']],
    ['"open', ['"open']],
    [String.raw`\"a`, [String.raw`\"`, 'a']],
    ['url(a b)c', ['url(a b)', 'c']],
    [String.raw`URL( a\)b )c`, [String.raw`URL( a\)b )`, 'c']],
    ['url( "a")', ['url( ', '"a"', ')']],
    ['curl(a)', [...'curl(a)']],
    ['-url(a)', [...'-url(a)']],
    ['ux(', [...'ux(']],
    ['url(open', ['url(open']],
  ])('splits %s', (css, found) => expect(tokens(css)).toEqual(found));

  it('counts open brackets', () => {
    expect(['(', '[', ')', ']', 'url(', 'url(a)', 'a'].map((token) => depthAfter(token, 1))).toEqual([2, 2, 0, 0, 2, 1, 1]);
    expect(depthAfter(')', 0)).toBe(0);
    expect([findClosing('a(b)c)d', 0), findClosing('a(b', 0), findClosing(')', 0)]).toEqual([5, 3, 0]);
  });
});

describe('unescapeCss, parseString and parseUrl', () => {
  it.each([
    [String.raw`a\28 b`, 'a(b'],
    [String.raw`\000041B`, 'AB'],
    ['a\\\nb', 'ab'],
    [String.raw`\zy`, 'zy'],
    [String.raw`\0`, '\uFFFD'],
    [String.raw`\110000`, '\uFFFD'],
    [String.raw`\10ffff`, '\u{10FFFF}'],
    ['plain', 'plain'],
  ])('unescape %s', (written, text) => expect(unescapeCss(written)).toBe(text));

  it('read strings in quotes and addresses in parentheses', () => {
    expect([parseString('"a"'), parseString("'a"), parseString('"'), parseString(String.raw`"\41 "`)]).toEqual(['a', 'a', '', 'A']);
    expect([parseUrl('url( a )'), parseUrl('url(a'), parseUrl(String.raw`url(a\)b)`)]).toEqual(['a', 'a', 'a)b']);
  });
});

it('splitList: splits at commas or blanks outside brackets and strings', () => {
  expect(splitList('a, b(c, d), "e, f",, g')).toEqual(['a', 'b(c, d)', '"e, f"', 'g']);
  expect(splitList('a  b(c d) "e f"', ' ')).toEqual(['a', 'b(c d)', '"e f"']);
});

describe('resolveAddresses', () => {
  const base = 'http://site.example/css/main.css';
  const of = (value: string): string | null => resolveAddresses(value, base);

  it.each([
    ['red', 'red'],
    ['url(a.png) no-repeat', 'url("http://site.example/css/a.png") no-repeat'],
    [`url( 'a b.png' ), url(/c)`, 'url("http://site.example/css/a%20b.png"), url("http://site.example/c")'],
    ['url(#part)', 'url("data:")'],
    ['url()', 'url("data:")'],
    ['url(data:x)', 'url("data:")'],
    ['image-set("a" 1x, url(b) 2x)', 'image-set(url("http://site.example/css/a") 1x, url("http://site.example/css/b") 2x)'],
    ['image-set("a" type("image/png"))', 'image-set(url("http://site.example/css/a") type("image/png"))'],
    ['-webkit-image-set(("a"))', '-webkit-image-set((url("http://site.example/css/a")))'],
    ['my-image-set("a") image-set()', 'my-image-set("a") image-set()'],
    ['local("a"), url(b)', 'local("a"), url("http://site.example/css/b")'],
  ])('resolves %s', (written, value) => expect(of(written)).toBe(value));

  it('returns null for long values', () => {
    expect(of('x'.repeat(8_192))).toHaveLength(8_192);
    expect(of('x'.repeat(8_193))).toBeNull();
    expect(of(`url(a) ${'x'.repeat(8_192)}`)).toBeNull();
  });
});

describe('listPictures', () => {
  const set = (...options: readonly string[]): string => listPictures(`image-set(${options.join(', ')})`).join(' ');
  const option = (name: string, rest = ''): string => `url("http://x/${name}")${rest}`;

  it('selects the lowest sufficient density, else the highest', () => {
    expect(set(option('a', ' 2x'), option('b', ' 1x'), option('c', ' 3x'))).toBe('http://x/b');
    expect(set(option('a', ' 0.5x'), option('b', ' 2x'))).toBe('http://x/b');
    expect(set(option('a', ' 0.5x'), option('b', ' 0.25x'), option('c', ' 0.75x'))).toBe('http://x/c');
    expect(set(option('a', ' 192dpi'), option('b', ' 96dpi'))).toBe('http://x/b');
    expect(set(option('a', ' 76dpcm'), option('b', ' 38dpcm'))).toBe('http://x/b');
    expect(set(option('a', ' 1.5dppx'), option('b'))).toBe('http://x/b');
  });

  it('ignores types that browsers do not show', () => {
    expect(set(option('a', ' 1x type("image/jxl")'), option('b', ' 2x type("image/avif")'))).toBe('http://x/b');
  });

  it('returns all images of a value', () => {
    expect(listPictures(`${option('a')}, image-set(${option('b')}), ${option('c')}, url("data:")`)).toEqual([
      'http://x/a',
      'http://x/b',
      'http://x/c',
    ]);
    expect([listPictures('red'), listPictures('image-set()')]).toEqual([[], []]);
  });
});

describe('replaceVariables', () => {
  const known: Readonly<Record<string, string>> = { '--a': 'one', '--b': 'var(--a) two', '--c': '' };
  const filled = (value: string): string | undefined =>
    replaceVariables(value, (name) => known[name])
      ?.replaceAll(/\s+/g, ' ')
      .trim();

  it.each([
    ['x var(--a) y', 'x one y'],
    ['var( --b )', 'one two'],
    ['var(--none, three)', 'three'],
    ['var(--none, var(--a, x))', 'one'],
    ['var(--none,)', ''],
    ['f(var(--a)) var(--c)', 'f( one )'],
  ])('replaces the variables of %s', (value, text) => expect(filled(value)).toBe(text));

  it('returns undefined for missing, recursive or huge variables', () => {
    expect(filled('x var(--none)')).toBeUndefined();
    expect(replaceVariables('var(--a)', () => 'var(--a)')).toBeUndefined();
    expect(replaceVariables('var(--a)', () => 'x'.repeat(8_193))).toBeUndefined();
    expect(replaceVariables('var(--a)', () => 'x'.repeat(8_000))).toContain('xxx');
  });
});
