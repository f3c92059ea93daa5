import { describe, expect, it } from 'vitest';
import { buildPlan } from './build.ts';
import { MAX_PAGES, pageNames, parsePages, pagesProblem } from './pageList.ts';
import { parsePreset } from './parse.ts';

describe('page lists', () => {
  it('have one page per line, each once', () => {
    expect(parsePages(' /a\n/b?x=1\r\n\n/a /c ')).toEqual(['/a', '/b?x=1', '/c']);
    expect(pagesProblem('/a\n/b')).toBeNull();
  });

  it.each(['', ' \n', 'a', 'http://a/b', '//a/b', '/{{x}}', Array.from({ length: MAX_PAGES + 1 }, (_, page) => `/${page}`).join('\n')])(
    'are refused: %s',
    (text) => expect(pagesProblem(text)).not.toBeNull(),
  );

  it('get short unique names', () => {
    expect(pageNames(['/', '/a/colour-06.cnxmlplus', '/b/colour-06.cnxmlplus', '/v1.2/', '/list?page=2'])).toEqual([
      'start page',
      'colour-06',
      'colour-06 (2)',
      'v1.2',
      'list?page=2',
    ]);
    expect(pageNames([`/${'x'.repeat(200)}`, `/${'x'.repeat(200)}`]).every((name) => name.length <= 60)).toBe(true);
  });

  it('get other names than existing steps', () => {
    expect(pageNames(['/', '/a', '/a', '/a%20(2)/x/a (2)'], ['start page', 'a'])).toEqual([
      'start page (2)',
      'a (2)',
      'a (3)',
      'a (2) (2)',
    ]);
  });

  it('become one step per page', () => {
    const { preset, issues } = parsePreset(`
holdfastPreset: 1
id: pages
title: Pages?
story: Pages.
takesMinutes: 1
questions:
  - { id: pages, kind: pages, label: Which pages?, default: "/a.html\\n/b/c?d=1" }
plan:
  holdfast: 1
  name: pages
  journey:
    - each: { page: { pagesOf: pages } }
      use: { name: '{pageName}', path: '{page}', resources: {} }
  load: { model: connections, stages: [{ connections: 1, requests: 10 }] }
`);
    expect(issues).toEqual([]);
    if (preset === null) throw new Error('It is a preset.');
    const target = { url: 'http://localhost/', headers: {} };
    expect(buildPlan(preset, {}, [target]).plan?.journey.map(({ name, path }) => [name, path])).toEqual([
      ['a', '/a.html'],
      ['c?d=1', '/b/c?d=1'],
    ]);
    expect(buildPlan(preset, { pages: 'nothing' }, [target]).issues).toMatchObject([{ code: 'NO_PAGES', path: 'answers.pages' }]);
  });
});
