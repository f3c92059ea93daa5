import { describe, expect, it } from 'vitest';
import { groupsOf, linkPlace, textsBetween, textsMatching, withoutEntities } from './capturedTexts.ts';

describe('where a link leads', () => {
  const page = new URL('https://contest.example/tasks/list?page=2');

  it('is a path with its query on the same server', () => {
    expect(linkPlace('sum/statement?lang=en#top', page)).toBe('/tasks/sum/statement?lang=en');
    expect(linkPlace('/logout', page)).toBe('/logout');
    expect(linkPlace('https://contest.example/a', page)).toBe('/a');
  });

  it('is nowhere on another server, for what is no address, or without a page', () => {
    expect(linkPlace('https://other.example/a', page)).toBeNull();
    expect(linkPlace('http://contest.example/a', page)).toBeNull();
    expect(linkPlace('http://[', page)).toBeNull();
    expect(linkPlace('/logout', null)).toBeNull();
  });
});

describe('texts of a response', () => {
  it('are everything between two texts, one after the other', () => {
    expect([...textsBetween('<b>one</b> and <b>two</b>, <b>three', '<b>', '</b>')]).toEqual(['one', 'two']);
    expect([...textsBetween('nothing', '<b>', '</b>')]).toEqual([]);
    expect([...textsBetween('|a|b|c|', '|', '|')]).toEqual(['a', 'c']);
    expect([...textsBetween('<><>', '<', '>')]).toEqual(['', '']);
  });

  it('are what each match of a pattern gives', () => {
    expect([...textsMatching('id=1 id=22', /id=(\d+)/g, ([, id = '']) => id)]).toEqual(['1', '22']);
  });
});

describe('entities of HTML', () => {
  it.each([
    ['a &amp; b', 'a & b'],
    ['&lt;a href=&quot;x&QUOT;&gt;', '<a href="x">'],
    ['it&apos;s&nbsp;so', "it's\u00A0so"],
    ['&#228;&#xe4;&#XE4;', 'äää'],
    ['&#1114111;&#x10ffff;', '\u{10FFFF}\u{10FFFF}'],
  ])('%s are the letters that they stand for', (text, letters) => expect(withoutEntities(text)).toBe(letters));

  it.each(['&foo;', '&amp', '&toString;', '&#1114112;', '&#x110000;', '&#;', 'AT&T;'])('%s stands for nothing and stays', (text) => {
    expect(withoutEntities(text)).toBe(text);
  });
});

it('a pattern has so many groups', () => {
  expect([groupsOf('a'), groupsOf('(a)(?:b)(?<c>d)'), groupsOf('x', 'g')]).toEqual([0, 2, 0]);
  expect(() => groupsOf('(')).toThrow(SyntaxError);
});
