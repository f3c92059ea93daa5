import { describe, expect, it } from 'vitest';
import { FontFaces, fontOf } from './fonts.ts';
import { fontFaceOf, weightOf } from './fontFace.ts';
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
    .addressesFor(wanted, letters(text))
    .map(({ url }) => url)
    .join(' ');

describe('a shorthand of a font', () => {
  it.each([
    ['12px a', font('a')],
    ['italic bold 12px/1.5 "x y", a', font('"x y", a', 700, true)],
    ['oblique 600 large a', font('a', 600, true)],
    ['small-caps 1.2em / 2 a', font('a')],
    ['xx-large/1 a, b', font('a, b')],
    ['medium/ 2 a', font('a')],
    ['10pt /2 a', font('a')],
    ['lighter calc(1px + 1em) a', font('a')],
  ])('%s', (written, found) => expect(fontOf(written)).toEqual(found));

  it('is one of the computer where it has no size', () => {
    expect([fontOf('caption'), fontOf('inherit'), fontOf('bold a')]).toEqual([null, null, null]);
  });

  it('counts words for weights', () => {
    expect(['bold', 'BOLDER', 'normal', 'lighter', '550', 'heavy', '12345'].map(weightOf)).toEqual([700, 700, 400, 400, 550, null, null]);
  });
});

describe('the weight that comes nearest', () => {
  const of = (wanted: number, ...weights: readonly number[]): string =>
    asked(
      weights.map((weight) => face(String(weight), { weight: [weight, weight] })),
      font('a', wanted),
    );

  it('of 400 to 500 is up to 500, then the lighter, then the bolder', () => {
    expect([of(400, 300, 500), of(400, 300, 600), of(400, 500, 450), of(400, 700, 600), of(500, 400, 600)]).toEqual([
      '500',
      '300',
      '450',
      '600',
      '400',
    ]);
  });

  it('of less is the lighter, of more the bolder', () => {
    expect([of(300, 200, 350), of(300, 100, 200), of(300, 400, 700)]).toEqual(['200', '200', '400']);
    expect([of(600, 500, 900), of(600, 800, 700), of(600, 300, 500), of(501, 500, 700)]).toEqual(['900', '700', '500', '700']);
  });

  it('is any within the range of a face', () => {
    const ranged = [face('wide', { weight: [200, 900] }), face('bold', { weight: [700, 700] })];
    expect([asked(ranged, font('a', 650)), asked(ranged, font('a', 100))]).toEqual(['wide', 'wide']);
    expect(asked([face('heavy', { weight: [700, 900] }), face('light', { weight: [100, 300] })], font('a', 200))).toBe('light');
  });

  it('is looked for among those of its style first', () => {
    const faces = [face('upright'), face('italic', { isItalic: true, weight: [900, 900] })];
    expect([asked(faces, font('a')), asked(faces, font('a', 400, true))]).toEqual(['upright', 'italic']);
    expect(asked([face('upright')], font('a', 400, true))).toBe('upright');
  });
});

describe('the fonts of a text', () => {
  const latin = face('latin', { range: [[0x20, 0x7e]] });
  const greek = face('greek', { range: [[0x370, 0x3ff]] });

  it('are those whose ranges hold one of its letters, the last one first', () => {
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

  it('are one of each letter: what a later face has is not asked for again', () => {
    const all = face('all');
    expect([asked([latin, all], font('a')), asked([all, latin], font('a')), asked([all, latin], font('a'), 'xж')]).toEqual([
      'all',
      'latin',
      'latin all',
    ]);
  });

  it('are of the next family for letters that the first lacks, up to one that every computer has', () => {
    const other = face('other', { family: 'b' });
    expect(asked([latin, other], font('a, b'), 'xж')).toBe('latin other');
    expect(asked([latin, other], font('a, b'), 'x')).toBe('latin');
    expect(asked([latin, other], font('a, Arial, b'), 'xж')).toBe('latin');
    expect(asked([latin, other], font('"no such", \'B\''), 'x')).toBe('other');
  });

  it('are not asked for where the sheet holds them itself', () => {
    expect(asked([face('held', { url: null }), face('other', { family: 'b' })], font('a, b'))).toBe('');
  });

  it('are none without any face', () => {
    expect([new FontFaces([]).isEmpty, new FontFaces([latin]).isEmpty]).toEqual([true, false]);
  });
});

describe('a font of a style sheet', () => {
  const read = (descriptors: Readonly<Record<string, string>>): FontFace | null =>
    fontFaceOf(new Map(Object.entries({ 'font-family': 'a', src: 'url(a.woff2)', ...descriptors })), base);

  it('has a weight or a range of them', () => {
    const weights = (written: string) => read({ 'font-weight': written })?.weight;
    expect([weights(''), weights('bold'), weights('300 600'), weights(' 200  normal '), weights('strange')]).toEqual([
      [400, 400],
      [700, 700],
      [300, 600],
      [200, 400],
      [400, 400],
    ]);
  });

  it('is for all letters, or for ranges of them', () => {
    const range = (written: string) => read({ 'unicode-range': written })?.range;
    expect(read({})?.range).toBeNull();
    expect(range('U+26, u+0-7F ,U+4??')).toEqual([
      [0x26, 0x26],
      [0, 0x7f],
      [0x400, 0x4ff],
    ]);
    expect([range('nothing'), range('U+110000000')]).toEqual([[[0, 0x10_ff_ff]], [[0, 0x10_ff_ff]]]);
  });

  it('slants where it says so', () => {
    expect(['italic', 'Oblique 10deg', 'normal', 'not italic'].map((style) => read({ 'font-style': style })?.isItalic)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('comes from the first source in a format that browsers take', () => {
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
