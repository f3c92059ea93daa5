import { describe, expect, it } from 'vitest';
import { findFontFace, FontFaces, parseFont, weightOf } from './fonts.ts';
import type { FontFace } from './sheet.ts';

const base = 'http://site.example/main.css';
const face = (name: string, changes: Partial<FontFace> = {}): FontFace => ({
  family: 'a',
  url: name,
  by: base,
  weight: [400, 400],
  isItalic: false,
  range: null,
  ...changes,
});
const font = (families: string, weight = 400, isItalic = false) => ({ families, weight, isItalic });
const letters = (text: string): number[] => Array.from(text, (letter) => letter.codePointAt(0) ?? 0).toSorted((one, other) => one - other);
const asked = (faces: readonly FontFace[], wanted: ReturnType<typeof font>, text = 'x'): string =>
  new FontFaces(faces)
    .findFontFiles(wanted, letters(text))
    .map(({ url }) => url)
    .join(' ');

describe('parseFont', () => {
  it.each([
    ['12px a', font('a')],
    ['italic bold 12px/1.5 "x y", a', font('"x y", a', 700, true)],
    ['oblique 600 large a', font('a', 600, true)],
    ['small-caps 1.2em / 2 a', font('a')],
    ['xx-large/1 a, b', font('a, b')],
    ['medium/ 2 a', font('a')],
    ['10pt /2 a', font('a')],
    ['lighter calc(1px + 1em) a', font('a')],
  ])('parses %s', (written, found) => expect(parseFont(written)).toEqual(found));

  it('returns null for a system font, which has no size', () => {
    expect([parseFont('caption'), parseFont('inherit'), parseFont('bold a')]).toEqual([null, null, null]);
  });

  it('converts weight keywords', () => {
    expect(['bold', 'BOLDER', 'normal', 'lighter', '550', 'heavy', '12345'].map(weightOf)).toEqual([700, 700, 400, 400, 550, null, null]);
  });
});

describe('font weight matching', () => {
  const of = (wanted: number, ...weights: readonly number[]): string =>
    asked(
      weights.map((weight) => face(String(weight), { weight: [weight, weight] })),
      font('a', wanted),
    );

  it('tries weights up to 500 first, then lighter, then bolder ones, for 400 to 500', () => {
    expect([of(400, 300, 500), of(400, 300, 600), of(400, 500, 450), of(400, 700, 600), of(500, 400, 600)]).toEqual([
      '500',
      '300',
      '450',
      '600',
      '400',
    ]);
  });

  it('prefers lighter weights below 400 and bolder weights above 500', () => {
    expect([of(300, 200, 350), of(300, 100, 200), of(300, 400, 700)]).toEqual(['200', '200', '400']);
    expect([of(600, 500, 900), of(600, 800, 700), of(600, 300, 500), of(501, 500, 700)]).toEqual(['900', '700', '500', '700']);
  });

  it('accepts any weight within the range of a face', () => {
    const ranged = [face('wide', { weight: [200, 900] }), face('bold', { weight: [700, 700] })];
    expect([asked(ranged, font('a', 650)), asked(ranged, font('a', 100))]).toEqual(['wide', 'wide']);
    expect(asked([face('heavy', { weight: [700, 900] }), face('light', { weight: [100, 300] })], font('a', 200))).toBe('light');
  });

  it('compares faces of the same style first', () => {
    const faces = [face('upright'), face('italic', { isItalic: true, weight: [900, 900] })];
    expect([asked(faces, font('a')), asked(faces, font('a', 400, true))]).toEqual(['upright', 'italic']);
    expect(asked([face('upright')], font('a', 400, true))).toBe('upright');
  });
});

describe('findFontFiles', () => {
  const latin = face('latin', { range: [[0x20, 0x7e]] });
  const greek = face('greek', { range: [[0x370, 0x3ff]] });

  it('returns faces whose ranges contain a character, the last face first', () => {
    expect([asked([latin, greek], font('a'), 'x'), asked([latin, greek], font('a'), 'xα'), asked([latin, greek], font('a'), 'ж')]).toEqual([
      'latin',
      'greek latin',
      '',
    ]);
    expect([' ', '~', '\u007F', '\u036F', 'Ͱ', 'Ͽ', 'Ѐ'].map((letter) => asked([latin, greek], font('a'), letter))).toEqual([
      'latin',
      'latin',
      '',
      '',
      'greek',
      'greek',
      '',
    ]);
  });

  it('returns one face per character', () => {
    const all = face('all');
    expect([asked([latin, all], font('a')), asked([all, latin], font('a')), asked([all, latin], font('a'), 'xж')]).toEqual([
      'all',
      'latin',
      'latin all',
    ]);
  });

  it('uses the next family for missing characters, up to a font that every computer has', () => {
    const other = face('other', { family: 'b' });
    expect(asked([latin, other], font('a, b'), 'xж')).toBe('latin other');
    expect(asked([latin, other], font('a, b'), 'x')).toBe('latin');
    expect(asked([latin, other], font('a, Arial, b'), 'xж')).toBe('latin');
    expect(asked([latin, other], font('"no such", \'B\''), 'x')).toBe('other');
  });

  it('requests no embedded fonts', () => {
    expect(asked([face('held', { url: null }), face('other', { family: 'b' })], font('a, b'))).toBe('');
  });

  it('returns nothing if there are no faces', () => {
    expect([new FontFaces([]).isEmpty, new FontFaces([latin]).isEmpty]).toEqual([true, false]);
  });
});

describe('findFontFace', () => {
  const read = (descriptors: Readonly<Record<string, string>>): FontFace | null =>
    findFontFace(new Map(Object.entries({ 'font-family': 'a', src: 'url(a.woff2)', ...descriptors })), base);

  it('reads a weight or a range of weights', () => {
    const weights = (written: string) => read({ 'font-weight': written })?.weight;
    expect([weights(''), weights('bold'), weights('300 600'), weights(' 200  normal '), weights('strange')]).toEqual([
      [400, 400],
      [700, 700],
      [300, 600],
      [200, 400],
      [400, 400],
    ]);
  });

  it('reads ranges of characters', () => {
    const range = (written: string) => read({ 'unicode-range': written })?.range;
    expect(read({})?.range).toBeNull();
    expect(range('U+26, u+0-7F ,U+4??')).toEqual([
      [0x26, 0x26],
      [0, 0x7f],
      [0x400, 0x4ff],
    ]);
    expect([range('nothing'), range('U+110000000')]).toEqual([[[0, 0x10_ff_ff]], [[0, 0x10_ff_ff]]]);
  });

  it('reads the style', () => {
    expect(['italic', 'Oblique 10deg', 'normal', 'not italic'].map((style) => read({ 'font-style': style })?.isItalic)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('uses the first source in a supported format', () => {
    const source = (src: string) => read({ src })?.url;
    expect(source('local("x"), url(a.eot) format("embedded-opentype"), url(b.woff) format(woff)')).toBe('http://site.example/b.woff');
    expect(source('url(c.ttf) format("truetype-variations"), url(b.woff)')).toBe('http://site.example/c.ttf');
    expect(source('url(data:font/woff2;base64,AA)')).toBeNull();
    expect([read({ src: 'local("x")' }), read({ src: 'url(c.svg) format("svg")' }), read({ 'font-family': ' ' })]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
