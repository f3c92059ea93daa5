import { describe, expect, it } from 'vitest';
import {
  asksForLogin,
  sortBySlowness,
  type CrawledPage,
  type CrawlReport,
  crawlSentences,
  crawlTable,
  isLoginPage,
  isSentToLogin,
  isVisitable,
} from './report.ts';

function page(changes: Partial<CrawledPage> = {}): CrawledPage {
  return {
    url: 'http://site.example/a',
    path: '/a',
    depth: 1,
    foundOn: '/',
    status: 200,
    problem: null,
    landedOn: null,
    contentType: 'text/html; charset=utf-8',
    title: '',
    isLogin: false,
    bytes: 1_000,
    ms: 20,
    resources: { css: 0, script: 0, image: 0, icon: 0, font: 0 },
    resourceBytes: 0,
    resourceMs: 0,
    ...changes,
  };
}
const report = (changes: Partial<CrawlReport> = {}): CrawlReport => ({
  start: 'http://site.example/',
  pages: [page()],
  wrong: [],
  otherHosts: {},
  avoided: [],
  notVisited: 0,
  endedBy: 'all',
  seconds: 3,
  ...changes,
});

describe('isVisitable, isLoginPage and asksForLogin', () => {
  it('accept successful HTML pages', () => {
    expect(
      [page(), page({ status: 299 }), page({ contentType: 'application/xhtml+xml' }), page({ contentType: 'TEXT/HTML' })].every(
        isVisitable,
      ),
    ).toBe(true);
  });

  it.each<Partial<CrawledPage>>([
    { status: null },
    { status: 199 },
    { status: 300 },
    { landedOn: 'http://site.example/b' },
    { contentType: 'application/json' },
    { contentType: 'x-text/html' },
    { isLogin: true },
  ])('reject a page with %j', (changes) => expect(isVisitable(page(changes))).toBe(false));

  it('identify a login page by both its address and its form', () => {
    const form = '<form method="post"><input name="user"><input type="password" name="pass"></form>';
    expect(isLoginPage(form, new URL('http://site.example/accounts/login/'))).toBe(true);
    expect(isLoginPage(form, new URL('http://site.example/lessons/1/'))).toBe(false);
    expect(isLoginPage('<h1>Sessions of the day</h1>', new URL('http://site.example/sessions/1'))).toBe(false);
  });

  it('identify a redirect to a login page', () => {
    expect(asksForLogin(page({ landedOn: 'http://site.example/login', isLogin: true }))).toBe(true);
    expect(asksForLogin(page({ landedOn: 'http://site.example/sessions/42' }))).toBe(false);
    expect(asksForLogin(page({ isLogin: true }))).toBe(false);
    const [from, to] = [new URL('http://site.example/a'), new URL('http://site.example/?next=%2Fa')];
    expect(isSentToLogin('<form><input type="password"></form>', from, to)).toBe(true);
    expect(isSentToLogin('<form><input type="search"></form>', from, to)).toBe(false);
    expect(isSentToLogin('<form><input type="password"></form>', from, new URL('http://site.example/b'))).toBe(false);
  });
});

describe('crawlTable', () => {
  it('lists failed pages first, then the slowest', () => {
    const pages = [page({ path: '/fast', ms: 5 }), page({ path: '/never', ms: null }), page({ path: '/slow', ms: 90 })];
    expect(sortBySlowness(pages).map(({ path }) => path)).toEqual(['/never', '/slow', '/fast']);
    expect(crawlTable(report({ pages })).map((row) => row.at(-1))).toEqual(['page', '/never', '/slow', '/fast']);
  });

  it('adds linked resources and their results', () => {
    const resources = { css: 1, script: 2, image: 3, icon: 0, font: 0 };
    const [, first, second] = crawlTable(
      report({
        pages: [
          page({ ms: null, status: null, problem: 'ECONNREFUSED' }),
          page({ ms: 30, resourceMs: 12, resources, bytes: 2_500, title: `Tasks ${'x'.repeat(60)}` }),
        ],
      }),
    );
    expect(first).toEqual(['unknown', 'unknown', '1 kB', '0', 'ECONNREFUSED', '/a']);
    expect(second).toEqual(['30 ms', '42 ms', '2.5 kB', '6', '200', `/a  (Tasks ${'x'.repeat(34)})`]);
  });
});

describe('crawlSentences', () => {
  it('report the number of pages, why the crawl ended, and the slowest and fastest page', () => {
    const pages = [page({ path: '/slow', ms: 90 }), page({ path: '/fast', ms: 5 }), page({ path: '/never', ms: null })];
    expect(crawlSentences(report({ pages, endedBy: 'pages', notVisited: 40 }))).toEqual([
      'Found 3 pages in 3 s. The limit of pages was reached. 40 known addresses were not visited.',
      'Slowest: /slow (90 ms). Fastest: /fast (5 ms).',
      'No broken links.',
    ]);
    expect(crawlSentences(report({ pages: [page({ ms: null })] }))).toEqual([
      'Found 1 page in 3 s. All links were followed.',
      'No broken links.',
    ]);
  });

  it('report broken links', () => {
    const wrong = { url: '/x.png', kind: 'image', foundOn: '/a', why: 'status 404' } as const;
    expect(crawlSentences(report({ wrong: [wrong] })).slice(2)).toEqual(['1 broken link:', '  /x.png: status 404 (on /a)']);
    expect(crawlSentences(report({ wrong: [wrong, wrong] }))[2]).toBe('2 broken links:');
  });

  it('report links that were not followed and pages that need a login', () => {
    const sentences = crawlSentences(
      report({
        pages: [page(), page({ landedOn: 'http://site.example/login', isLogin: true })],
        otherHosts: { 'cdn.example': 3, 'ads.example': 1_000 },
        avoided: ['/logout', '/delete'],
      }),
    );
    expect(sentences.slice(2)).toEqual([
      '1 page redirects to a login page. Give --username and --password to see more.',
      'No broken links.',
      'Links to other hosts were not followed: cdn.example (3), ads.example (1,000).',
      'Not followed, because they look as if they log out or change something: /logout, /delete.',
    ]);
  });
});
