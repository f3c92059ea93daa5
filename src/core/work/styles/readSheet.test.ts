import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { parseImports, MAX_SHEET_CHARACTERS, readSheet } from './readSheet.ts';

const url = 'http://site.example/css/main.css';
const listRules = (css: string): string[] =>
  readSheet(css, url).rules.flatMap(({ declarations }) => declarations.map(({ property, value }) => `${property}: ${value}`));
const importedBy = (css: string): string[] =>
  readSheet(css, url).imports.map((each) => `${each.url}${each.isForScreen ? '' : ' elsewhere'}`);

describe('imports of readSheet', () => {
  it('are read in order before the rules, in any notation', () => {
    expect(
      importedBy(`\uFEFF@charset "utf-8"; /* @import "no.css"; */ @import "a.css"; @IMPORT url( b.css ) screen; @layer one, two;
        @import url("c.css?d=;e") layer(x) supports(display: grid) (min-width: 600px); @import 'f.css' print; @import url(/g.css) layer;
        a { color: red } @import "late.css";`),
    ).toEqual([
      'http://site.example/css/a.css',
      'http://site.example/css/b.css',
      'http://site.example/css/c.css?d=;e',
      'http://site.example/css/f.css elsewhere',
      'http://site.example/g.css',
    ]);
    expect(parseImports('@import "a.css"; p { color: red }')).toEqual([{ url: 'a.css', isForScreen: true }]);
  });

  it('are ignored at places where browsers ignore them', () => {
    expect(importedBy('@import a.css; @import "data:text/css,"; @import url(); @import "x" supports(not (display: grid));')).toEqual([]);
  });
});

describe('rules of readSheet', () => {
  it('are kept if they contain images or fonts, with absolute addresses', () => {
    expect(
      listRules(`a { color: red; background: url(../i/a.png) no-repeat !important; margin: 0 }
        b { list-style-image: url("b.svg#part"); cursor: url('c.cur'), auto; } c { mask: url( d\\(1\\).svg ) }
        i { content: "}"; background: image-set("e.png" 1x, url(f.png) 2x type("image/png")) }
        u { background: url(data:image/png;base64,AA==), url(#x); border-image: url() }`),
    ).toEqual([
      'background-image: url("http://site.example/i/a.png") no-repeat',
      'list-style-image: url("http://site.example/css/b.svg")',
      `cursor: url("http://site.example/css/c.cur"), auto`,
      'mask-image: url("http://site.example/css/d(1).svg")',
      'content: "}"',
      'background-image: image-set(url("http://site.example/css/e.png") 1x, url("http://site.example/css/f.png") 2x type("image/png"))',
      'background-image: url("data:"), url("data:")',
      'border-image-source: url("data:")',
    ]);
  });

  it('are those for the assumed screen, without unsupported values', () => {
    expect(
      listRules(`@media print { a { background: url(print.png) } } @media screen and (min-width: 600px) { a { background: url(a.png) } }
        @supports not (display: grid) { a { background: url(old.png) } } @supports (display: grid) { a { background: url(b.png) } }
        @keyframes x { from { background: url(frame.png) } } a:::b { background: url(no.png) } a { *background: url(ie.png); background: url(ie9.png)\\9 }`),
    ).toEqual(['background-image: url("http://site.example/css/a.png")', 'background-image: url("http://site.example/css/b.png")']);
  });

  it('may be nested', () => {
    const { rules } = readSheet(
      '.a { &:hover, .b { background: url(a.png) } @media print { mask: url(b.png) } @media screen { mask: url(c.png) } }',
      url,
    );
    expect(rules.map(({ selectors, declarations }) => [selectors.length, declarations.map(({ property }) => property)])).toEqual([
      [2, ['background-image']],
      [1, ['mask-image']],
    ]);
  });
});

it('readSheet: reads fonts with their first supported source', () => {
  const { faces } = readSheet(
    `@font-face { font-family: "One  Two"; src: url(a.eot); src: local("x"), url(a.eot?#iefix) format("embedded-opentype"), url(a.woff2) format("woff2"), url(a.ttf);
      font-weight: 200 600; font-style: italic; unicode-range: U+0-FF, U+4??, U+20AC }
     @font-face { font-family: b; src: url(data:font/woff2;base64,AA) } @font-face { font-family: c; src: url(c.svg) format("svg") } @font-face { src: url(d.woff) }`,
    url,
  );
  expect(faces).toEqual([
    {
      family: 'one two',
      url: 'http://site.example/css/a.woff2',
      by: url,
      weight: [200, 600],
      isItalic: true,
      range: [
        [0, 0xff],
        [0x400, 0x4ff],
        [0x20ac, 0x20ac],
      ],
    },
    { family: 'b', url: null, by: url, weight: [400, 400], isItalic: false, range: null },
  ]);
});

it('readSheet: accepts any text and limits rules and length', () => {
  for (const css of [
    '}}}{',
    '@import',
    '@import url(',
    'a{background:url(',
    '"',
    '\\',
    '/*',
    '@font-face{src',
    '@media{',
    'a{:}',
    'a{background:url("',
  ])
    expect(readSheet(css, url)).toMatchObject({ faces: [] });
  const long = readSheet(`${' '.repeat(MAX_SHEET_CHARACTERS)}a { background: url(a.png) }`, url);
  expect([long.rules.length, long.isCut]).toEqual([0, true]);
  const many = readSheet('a{background:url(a.png)}'.repeat(30_000), url);
  expect([many.rules.length, many.isCut]).toEqual([10_000, true]);
});

/** Style sheets that are slow for parsers that build a tree, recurse or backtrack. */
const SLOW: Readonly<Record<string, (size: number) => string>> = {
  braces: (size) => '{'.repeat(size),
  'nested rules': (size) => 'a{'.repeat(size / 2),
  'nested rules that name their parent': (size) => '&&{background:url(a);'.repeat(size / 21),
  'nested conditions': (size) => '@media all{'.repeat(size / 11) + 'a{}'.repeat(size / 3),
  brackets: (size) => `a{background:${'('.repeat(size)}`,
  'open comments': (size) => '/*'.repeat(size / 2),
  'open strings': (size) => 'a{content:"'.repeat(size / 11),
  'open addresses': (size) => 'a{background:url('.repeat(size / 17),
  'escaped addresses': (size) => `a{background:url(${'\\)'.repeat(size / 2)}`,
  'a long value': (size) => `a{background:${'url(a),'.repeat(size / 7)}}`,
  'long selectors': (size) => `${'a,'.repeat(900)}a{background:url(a)}`.repeat(size / 1_821),
  'nested selectors': (size) => `${':not('.repeat(380)}a${')'.repeat(380)}{background:url(a)}`.repeat(size / 2_300),
  marks: (size) => `a{background:${'! '.repeat(size / 2)}}`,
  imports: (size) => '@import "a";'.repeat(size / 12),
  fonts: (size) => '@font-face{font-family:a;src:url(a)}'.repeat(size / 36),
  ranges: (size) => `@font-face{font-family:a;src:url(a);unicode-range:${'u+1,'.repeat(size / 4)}}`,
};

const SMALL = 130_000;

describe('a sheet of four times the length', () => {
  it.each(Object.entries(SLOW))('takes about four times as long: %s', (_name, sheet) => {
    const sheets = new Map([SMALL, 4 * SMALL].map((size) => [size, sheet(size)]));
    expect(measureGrowth((size) => readSheet(sheets.get(size) ?? '', url), SMALL)).toBeLessThan(MAX_GROWTH);
  });
});
