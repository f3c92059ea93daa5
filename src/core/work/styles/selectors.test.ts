import { describe, expect, it } from 'vitest';
import { readElements } from './elements.ts';
import { Matcher, parseSelectors } from './selectors.ts';

/** Returns the ids of the elements that a selector matches. */
function matched(selector: string, html: string): string {
  const matcher = new Matcher();
  const selectors = parseSelectors(selector);
  return readElements(html)
    .elements.filter((element) => selectors.some(({ parts }) => matcher.matches(parts, element)))
    .map((element) => element.attributes.get('id') ?? element.name)
    .join(' ');
}

const LIST = '<ul id=u><li id=a>1<li id=b>2<li id=c>3<li id=d>4<li id=e>5</ul>';

describe('Matcher by position', () => {
  it.each([
    ['li:first-child', 'a'],
    ['li:last-child', 'e'],
    ['li:nth-child(3)', 'c'],
    ['li:nth-child(+3)', 'c'],
    ['li:nth-child(odd)', 'a c e'],
    ['li:nth-child(EVEN)', 'b d'],
    ['li:nth-child(2n)', 'b d'],
    ['li:nth-child(2n+1)', 'a c e'],
    ['li:nth-child(2n - 1)', 'a c e'],
    ['li:nth-child(n+4)', 'd e'],
    ['li:nth-child(-n+2)', 'a b'],
    ['li:nth-child(-2n+3)', 'a c'],
    ['li:nth-child(+n+5)', 'e'],
    ['li:nth-child(0n+2)', 'b'],
    ['li:nth-child(3n+10)', ''],
    ['li:nth-child(-1)', ''],
    ['li:nth-child(0)', ''],
    ['li:nth-last-child(2)', 'd'],
    ['li:nth-last-child(-n+2)', 'd e'],
  ])('matches %s to: %s', (selector, ids) => expect(matched(selector, LIST)).toBe(ids));

  it('matches positions by type, and only children', () => {
    const mixed = '<div id=x><b id=a></b><i id=b></i><b id=c></b><i id=d></i><b id=e></b></div><p id=y><b id=f></b></p>';
    expect(matched('b:first-of-type', mixed)).toBe('a f');
    expect(matched('i:first-of-type', mixed)).toBe('b');
    expect(matched('b:nth-of-type(2)', mixed)).toBe('c');
    expect(matched('i:nth-of-type(2)', mixed)).toBe('d');
    expect(matched('b:only-child', mixed)).toBe('f');
    expect(matched(':root', mixed)).toBe('html');
  });
});

describe('Matcher by other elements', () => {
  const page = '<div id=a><p id=b><b id=c></b></p></div><h1 id=d></h1><p id=e></p><p id=f></p>';

  it.each([
    ['div b', 'c'],
    ['div > b', ''],
    ['div > p > b', 'c'],
    ['p b', 'c'],
    ['h1 + p', 'e'],
    ['h1 ~ p', 'e f'],
    ['p + p', 'f'],
    ['h1 ~ div', ''],
    ['p ~ h1', ''],
    ['p:not(#e)', 'b f'],
    [':not(p, div, b, h1)', 'html body'],
    [':is(h1, b)', 'c d'],
    [':where(h1, b)', 'c d'],
    [':is(div) > p', 'b'],
    [':has(b)', ''],
  ])('matches %s to: %s', (selector, ids) => expect(matched(selector, page)).toBe(ids));
});

describe('Matcher by attributes', () => {
  const page =
    '<a id=a href="https://x.example/y.PNG" lang=en-GB class="big red" rel=""></a><a id=b lang=en class=bigger data-x="one two"></a><a id=c lang=english></a>';

  it.each([
    ['[href]', 'a'],
    ['[lang="en"]', 'b'],
    ['[lang|="en"]', 'a b'],
    ['[lang^="en"]', 'a b c'],
    ['[href^="http:"]', ''],
    ['[href$=".PNG"]', 'a'],
    ['[href$=".png"]', ''],
    ['[href$=".png" i]', 'a'],
    ['[href*="x.example"]', 'a'],
    ['[href*="z.example"]', ''],
    ['[data-x~="two"]', 'b'],
    ['[data-x~="tw"]', ''],
    ['[rel^=""]', ''],
    ['[rel$=""]', ''],
    ['[rel*=""]', ''],
    ['[rel~=""]', ''],
    ['[rel=""]', 'a'],
    ['.big', 'a'],
    ['.red.big', 'a'],
    ['.bigger', 'b'],
    ['a[class]', 'a b'],
    ['#c', 'c'],
    ['a[lang!="en"]', 'a c'],
  ])('matches %s to: %s', (selector, ids) => expect(matched(selector, page)).toBe(ids));
});

describe('Matcher by pseudo-class', () => {
  const form = [
    '<a id=a href=x></a><a id=b></a><area id=c href=y><link id=l href=z>',
    '<input id=d checked><option id=e selected><button id=f disabled></button><input id=g required><div id=h disabled></div>',
    '<my-part id=i></my-part><p id=j></p><p id=k> </p><p id=m>x</p><p id=n><b id=o></b></p>',
  ].join('');

  it.each([
    [':link', 'a c'],
    [':any-link', 'a c'],
    [':checked', 'd e'],
    [':disabled', 'f h'],
    [':enabled', 'd e g'],
    [':required', 'g'],
    ['my-part:defined', ''],
    ['p:defined', 'j k m n'],
    ['p:empty', 'j k'],
    ['p:hover', ''],
    ['a:visited', ''],
    ['p:nth-last-of-type(1)', ''],
  ])('matches %s to: %s', (selector, ids) => expect(matched(selector, form)).toBe(ids));
});

it('Matcher: matches nothing after its step limit', () => {
  const matcher = new Matcher();
  const [selector] = parseSelectors('p');
  const element = readElements('<p>').elements.at(-1);
  if (selector === undefined || element === undefined) throw new Error('a paragraph');
  expect([matcher.matches(selector.parts, element), matcher.isSpent]).toEqual([true, false]);
  matcher.spend(1_000_000);
  expect([matcher.matches(selector.parts, element), matcher.isSpent]).toEqual([false, true]);
});

describe('parseSelectors', () => {
  const weightOf = (selector: string) =>
    parseSelectors(selector).map(({ specificity }) => [specificity >> 16, (specificity >> 8) & 255, specificity & 255]);

  it.each<readonly [string, readonly number[]]>([
    ['*', [0, 0, 0]],
    ['li', [0, 0, 1]],
    ['ul li', [0, 0, 2]],
    ['#a', [1, 0, 0]],
    ['[id]', [0, 1, 0]],
    ['[id^=a]', [0, 1, 0]],
    ['.a.b', [0, 2, 0]],
    ['a:hover', [0, 1, 1]],
    ['a::before', [0, 0, 2]],
    [':is(#a, .b) p', [1, 0, 1]],
    [':not(.a.b, i)', [0, 2, 0]],
    [':where(#a)', [0, 0, 0]],
  ])('%s counts as much as its ids, classes and names: %j', (selector, weight) => expect(weightOf(selector)).toEqual([weight]));

  it('limits each part of the specificity to 255', () => {
    expect(weightOf('.a'.repeat(300))).toEqual([[0, 255, 0]]);
    expect(weightOf('#a'.repeat(300))).toEqual([[255, 0, 0]]);
  });

  it('keeps ::before and ::after, and leaves out other pseudo-elements', () => {
    const makePseudo = (selector: string) => parseSelectors(selector).map(({ pseudo, parts }) => [pseudo, parts.length]);
    expect(makePseudo('p::before, p:after, p')).toEqual([
      ['before', 1],
      ['after', 1],
      [null, 1],
    ]);
    expect(makePseudo('p::selection, p::before::marker, p::before b')).toEqual([]);
  });

  it('returns nothing for invalid or too long selectors', () => {
    expect([parseSelectors('p, a['), parseSelectors('p,'), parseSelectors('a || b'), parseSelectors(`p${' '.repeat(2_000)}`)]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(parseSelectors(`p${' '.repeat(1_999)}`)).toHaveLength(1);
  });
});
