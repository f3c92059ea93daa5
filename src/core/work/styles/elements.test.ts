import { describe, expect, it } from 'vitest';
import { readElements } from './elements.ts';

/** Describes each element by its parent, name and position. */
function tree(html: string): string[] {
  return readElements(html).elements.map(
    ({ name, parent, place, hasText }) => `${parent?.name ?? ''}>${name}${place}${hasText ? '“' : ''}`,
  );
}
const inBody = (html: string): string[] => tree(html).slice(2);

describe('readElements', () => {
  it('returns elements with their parents, in order', () => {
    expect(tree('<html><head><title>x</title></head><body><div><p>a</p><p>b</p></div>c</body></html>')).toEqual([
      '>html1',
      'html>body1“',
      'body>div1',
      'div>p1“',
      'div>p2“',
    ]);
    expect(readElements('<div><p></p><b></b></div>').elements.map(({ children }) => children)).toEqual([0, 1, 2, 0, 0]);
  });

  it('closes elements that cannot contain the next one', () => {
    expect(inBody('<p>a<div>b')).toEqual(['body>p1“', 'body>div2“']);
    expect(inBody('<ul><li>a<li>b<p>c<li>d')).toEqual(['body>ul1', 'ul>li1“', 'ul>li2“', 'li>p1“', 'ul>li3“']);
    expect(inBody('<dl><dt>a<dd>b<dt>c')).toEqual(['body>dl1', 'dl>dt1“', 'dl>dd2“', 'dl>dt3“']);
    expect(inBody('<table><tr><td>a<td>b<tr><th>c')).toEqual(['body>table1', 'table>tr1', 'tr>td1“', 'tr>td2“', 'table>tr2', 'tr>th1“']);
    expect(inBody('<select><option>a<option>b<optgroup>')).toEqual([
      'body>select1',
      'select>option1“',
      'select>option2“',
      'select>optgroup3',
    ]);
    expect(inBody('<p>a<b>c<i>d')).toEqual(['body>p1“', 'p>b1“', 'b>i1“']);
  });

  it('closes elements only with their own end tag or the end tag of an ancestor', () => {
    expect(inBody('<div><b>a</div>c<i>')).toEqual(['body>div1', 'div>b1“', 'body>i2']);
    expect(inBody('<div>a</b>c<i></div>')).toEqual(['body>div1“', 'div>i1']);
    expect(inBody('<br>a<img></img>b<hr></p>')).toEqual(['body>br1', 'body>img2', 'body>hr3']);
  });

  it('leaves out the head and elements that browsers do not show', () => {
    expect(tree('<head><meta charset=x><style>p { a }</style><link><title>x</title></head>')).toEqual(['>html1', 'html>body1']);
    expect(inBody('<template><p>a</p></template><p>b')).toEqual(['body>p1“']);
    expect(inBody('<template><template></template><p>a</p></template><p>b')).toEqual(['body>p1“']);
    expect(inBody('<p></p><link><style>x</style>')).toEqual(['body>p1', 'body>link2', 'body>style3“']);
  });

  it('keeps the attributes of the first <html> and <body>', () => {
    const [root, body] = readElements('<html lang=en><body class="a b"><p><html lang=de><body class=c>').elements;
    expect([root?.attributes.get('lang'), body?.classes]).toEqual(['en', ['a', 'b']]);
  });

  it('ignores blank texts', () => {
    expect(inBody('<p> \n </p><p>\u00A0x</p>')).toEqual(['body>p1', 'body>p2“']);
  });

  it('returns at most 10,000 elements, at most 256 deep', () => {
    expect(readElements('<b></b>'.repeat(10_001)).elements).toHaveLength(10_000);
    const deep = readElements(`${'<div>'.repeat(300)}<b></b>${'</div>'.repeat(44)}<i>`).elements;
    const depthOf = (name: string): number => {
      let depth = 0;
      for (let each = deep.find((element) => element.name === name)?.parent ?? null; each !== null; each = each.parent) depth += 1;
      return depth;
    };
    expect([depthOf('b'), depthOf('i')]).toEqual([258, 258]);
  });
});

describe('letters of readElements', () => {
  it('are the characters beyond ASCII, each once and sorted', () => {
    expect(readElements('<title>ß</title><p>über äü 𝒳<b>ä</b>').letters.map((code) => String.fromCodePoint(code))).toEqual(['ä', 'ü', '𝒳']);
    expect(readElements('<p>plain').letters).toEqual([]);
  });
});

describe('readElements().shape', () => {
  const shapeOf = (html: string): string => readElements(html).shape;
  const page = shapeOf('<p class=a id=b>x<a href="/c?d=1">');

  it.each([
    ['texts', '<p class=a id=b>other<a href="/c?d=1">'],
    ['queries', '<p class=a id=b>x<a href="/c?d=2">'],
  ])('is unchanged by different %s', (_name, html) => expect(shapeOf(html)).toBe(page));

  it.each([
    ['no text', '<p class=a id=b> <a href="/c?d=1">'],
    ['another class', '<p class=z id=b>x<a href="/c?d=1">'],
    ['another path', '<p class=a id=b>x<a href="/z?d=1">'],
    ['another name', '<b class=a id=b>x<a href="/c?d=1">'],
    ['another letter', '<p class=a id=b>xß<a href="/c?d=1">'],
    ['another place', '<p class=a id=b>x</p><a href="/c?d=1">'],
  ])('changes with %s', (_name, html) => expect(shapeOf(html)).not.toBe(page));

  it('excludes values that change with each request of a page', () => {
    expect(shapeOf('<input value=1 name=a>')).toBe(shapeOf('<input value=2 name=a>'));
    expect(shapeOf('<input name=a>')).not.toBe(shapeOf('<input value=2 name=a>'));
    expect(shapeOf(`<p data-x="${'y'.repeat(1_001)}">`)).toBe(shapeOf(`<p data-x="${'z'.repeat(1_001)}">`));
    expect(shapeOf(`<p data-x="${'y'.repeat(1_000)}">`)).not.toBe(shapeOf(`<p data-x="${'z'.repeat(1_000)}">`));
  });
});
