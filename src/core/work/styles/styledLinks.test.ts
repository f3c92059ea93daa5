import { describe, expect, it } from 'vitest';
import { leastCpuUs } from '#core/testing/growth.ts';
import { readElements } from './elements.ts';
import { readSheet } from './readSheet.ts';
import { findStyledLinks } from './styledLinks.ts';

const base = 'http://site.example/';
const asked = (css: string, html: string): string[] =>
  findStyledLinks(readElements(html), [readSheet(css, base)], base).map(({ kind, url }) => `${kind} ${url.slice(base.length)}`);
/** Returns only the images that are requested. */
const pictures = (css: string, html: string): string[] => asked(css, html).map((each) => each.replace('image ', ''));

describe('images of findStyledLinks', () => {
  it.each([
    ['.a', '<p class="b a">'],
    ['#a', '<p id=a>'],
    ['p', '<p>'],
    ['body > p', '<p>'],
    ['html p.a', '<div><p class=a>'],
    ['ul > li:first-child', '<ul><li>'],
    ['li:nth-child(2n+1)', '<ul><li><li><li>'],
    ['li + li', '<ul><li>a<li>b</ul>'],
    ['h1 ~ p', '<h1>a</h1><div></div><p>'],
    ['a[href^="http://"]', '<a href="http://x/?y">'],
    ['p:not(.b)', '<p class=a>'],
    [':is(.a, .b) p', '<div class=b><p>'],
    ['.a { & p', '<div class=a><p></div>'],
    ['input[type="text" i]', '<input type=TEXT>'],
    [':root', ''],
  ])('are requested where %s matches %s', (selector, html) => {
    expect(pictures(`${selector} { background: url(a.png) }`, html)).toEqual(['a.png']);
  });

  it.each([
    ['.a', '<p class=b>'],
    ['.a p', '<p class=a>'],
    ['.a > p', '<div class=a><div><p>'],
    ['p:hover', '<p>'],
    ['li:nth-child(2)', '<ul><li>'],
    ['p::selection', '<p>a'],
    ['p::before', '<p>a'],
    ['template p', '<template><p></template>'],
    ['.a', '<p hidden class=a>'],
    ['.a', '<div style="display: none"><p class=a></div>'],
    ['.a', '<details><summary>b</summary><p class=a></details>'],
  ])('are not requested where %s should match %s', (selector, html) => {
    expect(pictures(`${selector} { background: url(a.png) }`, html)).toEqual([]);
  });

  it('follow the cascade: the last of the most specific rules, important rules first, style attributes above rules', () => {
    expect(pictures('.a { background: url(a.png) } p { background: url(b.png) }', '<p class=a>')).toEqual(['a.png']);
    expect(pictures('p { background: url(a.png) } p { background-image: url(b.png) }', '<p>')).toEqual(['b.png']);
    expect(pictures('p { background: url(a.png) !important } .a { background: none }', '<p class=a>')).toEqual(['a.png']);
    expect(pictures('@layer x { #a { background: url(a.png) } } p { background: url(b.png) }', '<p id=a>')).toEqual(['b.png']);
    expect(pictures('#a { background: url(a.png) }', '<p id=a style="background: url(b.png)">')).toEqual(['b.png']);
    expect(pictures('p { background: url(a.png); background: red }', '<p>')).toEqual([]);
  });

  it('include several images per element, one image of a set, pseudo-elements and variables', () => {
    expect(pictures('p { background: url(a.png), url(b.png) }', '<p>')).toEqual(['a.png', 'b.png']);
    expect(pictures('p { background: image-set("a.avif" type("image/jxl"), "b.png" 2x, "c.png" 1x) }', '<p>')).toEqual(['c.png']);
    expect(pictures('p::before { content: ""; background: url(a.png) } p:after { content: url(b.png) }', '<p>')).toEqual([
      'a.png',
      'b.png',
    ]);
    expect(
      pictures(':root { --i: url(a.png) } p { background: var(--i) } b { background: var(--j, var(--k, url(b.png))) }', '<p><b>'),
    ).toEqual(['a.png', 'b.png']);
    expect(pictures('p { background: var(--none) }', '<p>')).toEqual([]);
  });
});

describe('fonts of findStyledLinks', () => {
  const face = (name: string, more = ''): string => `@font-face { font-family: "${name}"; src: url(${name}.woff2); ${more} }`;

  it('are requested for visible texts, with the nearest family, weight and style', () => {
    expect(asked(`${face('a')} body { font-family: a }`, '<p>x')).toEqual(['font a.woff2']);
    expect(asked(`${face('a')} .b { font-family: a }`, '<p class=b> </p>y')).toEqual([]);
    expect(asked(`${face('a')}${face('b')} body { font: italic 12px/1.5 "x", "b", a }`, '<p>x')).toEqual(['font b.woff2']);
    expect(asked(`${face('a')} body { font-family: Arial, a }`, '<p>x')).toEqual([]);
    const two = '@font-face { font-family: a; src: url(n.woff2) } @font-face { font-family: a; src: url(b.woff2); font-weight: bold }';
    expect(asked(`${two} body { font-family: a }`, '<h1>x</h1>')).toEqual(['font b.woff2']);
    expect(asked(`${two} body { font-family: a }`, '<h1>x</h1>y')).toEqual(['font b.woff2', 'font n.woff2'].toReversed());
  });

  it('are requested for characters in their range, also in pseudo-elements', () => {
    const ranges = `${face('a', 'unicode-range: u+0-7f')}@font-face { font-family: a; src: url(greek.woff2); unicode-range: u+370-3ff }`;
    expect(asked(`${ranges} body { font-family: a }`, '<p>x')).toEqual(['font a.woff2']);
    expect(asked(`${ranges} body { font-family: a }`, '<p>xα')).toEqual(['font greek.woff2', 'font a.woff2']);
    expect(asked(`${ranges} i:before { font-family: a; content: "\\3b1" }`, '<i></i>')).toEqual(['font greek.woff2']);
  });
});

const HOSTILE: Readonly<Record<string, readonly [css: string, html: string]>> = {
  'descendants of descendants': [`${'div '.repeat(300)}b { background: url(a) }`, '<div>'.repeat(5_000)],
  'siblings of siblings': [`${'p ~ '.repeat(300)}b { background: url(a) }`, '<p></p>'.repeat(20_000)],
  'rules for everything': ['* { background: url(a) }'.repeat(10_000), '<p>'.repeat(50_000)],
  'variables of variables': [
    `p { ${Array.from({ length: 400 }, (_, at) => `--a${at}: var(--a${at + 1}) var(--a${at + 1});`).join('')} background: var(--a0) }`,
    '<p>'.repeat(50_000),
  ],
  'variables of themselves': ['p { --a: var(--a); background: var(--a) }', '<p>'.repeat(50_000)],
  'brackets of variables': [`p { background: ${'var('.repeat(2_000)} }`, '<p>'.repeat(50_000)],
  'long values': [`p { background: ${'url(a),'.repeat(300)} }`, '<p>'.repeat(50_000)],
  'fonts and letters': [
    Array.from(
      { length: 500 },
      (_, at) => `@font-face{font-family:a;src:url(${at});unicode-range:${'u+3000,'.repeat(500)}u+${(at + 20_000).toString(16)}}`,
    ).join('') + 'p{font-family:a}',
    `<p>${Array.from({ length: 5_000 }, (_, at) => String.fromCodePoint(20_000 + at)).join('')}`,
  ],
  classes: ['.a { background: url(a) }'.repeat(5_000), `<p class="${'a '.repeat(20_000)}">`.repeat(10)],
};

/** Measures a large page with a large style sheet. */
function largePageUs(): number {
  const css = 'p.a > b, p.b i { background: url(a) }'.repeat(8_000);
  return leastCpuUs(() => void findStyledLinks(readElements('<p class="b"><i>x</i></p>'.repeat(5_000)), [readSheet(css, base)], base));
}

describe('expensive combinations of pages and style sheets', () => {
  // Limit per case, measured on first use.
  let knownUs: number | null = null;
  const mostUs = (): number => (knownUs ??= 6 * largePageUs());

  it.each(Object.entries(HOSTILE))('take limited time: %s', (_name, [css, html]) => {
    const takenUs = leastCpuUs(() => void findStyledLinks(readElements(html), [readSheet(css, base)], base), mostUs());
    expect(takenUs).toBeLessThan(mostUs());
  });
});
