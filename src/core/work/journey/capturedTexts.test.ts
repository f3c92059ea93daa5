import { describe, expect, it } from 'vitest';
import { countGroups, linkPlace, listTextsBetween, textsMatching, decodeEntities } from './capturedTexts.ts';

describe('linkPlace', () => {
  const page = new URL('https://contest.example/tasks/list?page=2');

  it('returns the path and query for the same server', () => {
    expect(linkPlace('sum/statement?lang=en#top', page)).toBe('/tasks/sum/statement?lang=en');
    expect(linkPlace('/logout', page)).toBe('/logout');
    expect(linkPlace('https://contest.example/a', page)).toBe('/a');
  });

  it('returns null for another server, an invalid address and a missing page', () => {
    expect(linkPlace('https://other.example/a', page)).toBeNull();
    expect(linkPlace('http://contest.example/a', page)).toBeNull();
    expect(linkPlace('http://[', page)).toBeNull();
    expect(linkPlace('/logout', null)).toBeNull();
  });
});

describe('captured texts', () => {
  it('are all texts between two strings', () => {
    expect([...listTextsBetween('<b>one</b> and <b>two</b>, <b>three', '<b>', '</b>')]).toEqual(['one', 'two']);
    expect([...listTextsBetween('nothing', '<b>', '</b>')]).toEqual([]);
    expect([...listTextsBetween('|a|b|c|', '|', '|')]).toEqual(['a', 'c']);
    expect([...listTextsBetween('<><>', '<', '>')]).toEqual(['', '']);
  });

  it('are the matches of a pattern', () => {
    expect([...textsMatching('id=1 id=22', /id=(\d+)/g, ([, id = '']) => id)]).toEqual(['1', '22']);
  });
});

describe('decodeEntities', () => {
  it.each([
    ['a &amp; b', 'a & b'],
    ['&lt;a href=&quot;x&QUOT;&gt;', '<a href="x">'],
    ['it&apos;s&nbsp;so', "it's\u00A0so"],
    ['&#228;&#xe4;&#XE4;', 'äää'],
    ['&#1114111;&#x10ffff;', '\u{10FFFF}\u{10FFFF}'],
  ])('decodes %s', (text, letters) => expect(decodeEntities(text)).toBe(letters));

  it.each(['&foo;', '&amp', '&toString;', '&#1114112;', '&#x110000;', '&#;', 'AT&T;'])('leaves %s unchanged', (text) => {
    expect(decodeEntities(text)).toBe(text);
  });
});

it('countGroups: counts the groups of a pattern', () => {
  expect([countGroups('a'), countGroups('(a)(?:b)(?<c>d)'), countGroups('x', 'g')]).toEqual([0, 2, 0]);
  expect(() => countGroups('(')).toThrow(SyntaxError);
});
