import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { readPage } from './readPage.ts';
import { MAX_ATTRIBUTES, readTags } from './readTags.ts';

/** Returns all events of a page, in order. */
function reported(html: string): string[] {
  const stated: string[] = [];
  readTags(html, {
    wants: () => true,
    open: (name, attributes) => stated.push([`<${name}`, ...[...attributes].map(([key, value]) => `${key}=${value}`)].join(' ')),
    close: (name) => stated.push(`</${name}`),
    text: (text) => stated.push(text),
  });
  return stated;
}

describe('readTags', () => {
  it('reports tags in order, with decoded entities and with the first of several attributes of the same name', () => {
    expect(reported('<A HREF="/x?a=1&amp;b=2" href=no b>x &lt; y</A><image src=\'i\'>')).toEqual([
      '<a href=/x?a=1&b=2 b=',
      'x ',
      '<',
      ' y',
      '</a',
      '<img src=i',
    ]);
  });

  it('keeps attribute names that are also names of object members', () => {
    expect(reported('<x __proto__=1 constructor=2 toString=3>')).toEqual(['<x __proto__=1 constructor=2 tostring=3']);
  });

  it('ignores tags in scripts, texts and comments, but reads drawings', () => {
    expect(reported('<script><b></script><textarea><i></textarea><!--<u>-->')).toEqual([
      '<script',
      '<b>',
      '</script',
      '<textarea',
      '<i>',
      '</textarea',
    ]);
    expect(reported('<svg><title/><style><b></style></svg><style><b></style>')).toEqual([
      '<svg',
      '<title',
      '</title',
      '<style',
      '<b',
      '</style',
      '</svg',
      '<style',
      '<b>',
      '</style',
    ]);
  });

  it('limits the number of attributes per tag', () => {
    const [tag = ''] = reported(`<a ${Array.from({ length: 5_000 }, (_, index) => `n${index}=1`).join(' ')}>`);
    expect(tag.split(' ')).toHaveLength(1 + MAX_ATTRIBUTES);
  });
});

/** Pages that are slow for parsers that build a tree, keep a stack, backtrack or use a long base. */
const SLOW: Readonly<Record<string, (size: number) => string>> = {
  'nested elements': (size) => '<div>'.repeat(size / 5),
  'nested elements, closed out of order': (size) => '<div>'.repeat(size / 9) + '</b>'.repeat(size / 9),
  'nested forms': (size) => '<form>'.repeat(size / 6),
  'nested lists': (size) => '<ul><li>'.repeat(size / 8),
  'nested drawings': (size) => '<svg><desc>'.repeat(size / 22) + '</desc></svg>'.repeat(size / 26),
  attributes: (size) => `<a ${Array.from({ length: size / 9 }, (_, index) => `a${index}=1`).join(' ')}>`,
  'one attribute of entities': (size) => `<a href="${'&amp;'.repeat(size / 5)}">`,
  'entities without end': (size) => `<title>${'&am'.repeat(size / 3)}`,
  'open comments': (size) => '<!--'.repeat(size / 4),
  'open tags': (size) => '<a <a '.repeat(size / 6),
  'half closed scripts': (size) => `<script>${'</scrip'.repeat(size / 7)}`,
  'commas of a picture': (size) => `<img srcset="a${','.repeat(size)}b">`,
  pictures: (size) => `<img srcset="${'a b,'.repeat(size / 4)}">`,
  'sizes of a picture': (size) => `<img sizes="${'x'.repeat(size)} y" srcset="a 1w">`,
  'blanks of a title': (size) => `<title>${' \n'.repeat(size / 2)}x`,
  relations: (size) => `<link rel="${'x '.repeat(size / 2)}" href=a>`,
  'links below a long base': (size) => `<base href="http://a/${'x'.repeat(size / 2)}/">${'<a href=x>'.repeat(size / 20)}`,
  'links below a base of the longest kind': (size) => `<base href="http://a/${'x'.repeat(2_000)}/">${'<a href=#1>'.repeat(size / 11)}`,
  links: (size) => Array.from({ length: size / 16 }, (_, index) => `<a href="/${index}">`).join(''),
};

const SMALL = 130_000;

describe('a page of four times the length', () => {
  it.each(Object.entries(SLOW))('takes about four times as long: %s', (_name, page) => {
    const pages = new Map([SMALL, 4 * SMALL].map((size) => [size, page(size)]));
    expect(measureGrowth((size) => readPage(pages.get(size) ?? '', 'http://site.example/'), SMALL)).toBeLessThan(MAX_GROWTH);
  });
});
