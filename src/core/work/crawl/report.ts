import { z } from 'zod';
import { RESOURCE_KINDS } from '#core/plan/schema/step.ts';
import { formatBytes, formatCount, formatMs, formatSeconds, countOf } from '#core/base/units.ts';
import { looksLikeLogin } from '../journey/redirects.ts';
import { asksForPassword, findLoginForm } from '../pages/loginForm.ts';

/** Limits of a crawl. */
export const crawlBoundsSchema = z.strictObject({
  maxPages: z.int().min(1).max(1_000).default(100),
  /** Maximum number of links between the first page and any other. */
  maxDepth: z.int().min(0).max(20).default(5),
  maxSeconds: z.number().positive().max(3_600).default(120),
  /** Whether linked resources are fetched as well, each once. */
  resources: z.boolean().default(true),
});
export type CrawlBounds = z.output<typeof crawlBoundsSchema>;

/** A visited page. Times are in milliseconds and exclude the connection set-up, because browsers reuse connections. */
const crawledPageSchema = z.strictObject({
  url: z.string(),
  /** Path and query, as in a step. */
  path: z.string(),
  depth: z.int(),
  /** First page that links to the page; null for the start page. */
  foundOn: z.string().nullable(),
  status: z.int().nullable(),
  /** Reason why there is no response; null if there is one. */
  problem: z.string().nullable(),
  /** Address after redirects; null if there were none. */
  landedOn: z.string().nullable(),
  contentType: z.string(),
  title: z.string(),
  /** Whether the page is a login page or redirects to one: its address looks like a login, and it has a form with a password field. */
  isLogin: z.boolean(),
  bytes: z.int(),
  /** Time from the request to the last byte in ms, including redirects. */
  ms: z.number().nullable(),
  /** Number of linked resources by kind. Bytes and time cover only those that no earlier page had loaded. */
  resources: z.record(z.enum(RESOURCE_KINDS), z.int()),
  resourceBytes: z.int(),
  resourceMs: z.number(),
});
export type CrawledPage = z.infer<typeof crawledPageSchema>;

const wrongLinkSchema = z.strictObject({
  url: z.string(),
  kind: z.enum(['page', ...RESOURCE_KINDS]),
  foundOn: z.string(),
  /** The failure: “status 404”, or the reason why there was no response. */
  why: z.string(),
});
export type WrongLink = z.infer<typeof wrongLinkSchema>;

const CRAWL_ENDS = ['all', 'pages', 'depth', 'seconds', 'stopped'] as const;

/** Result of a crawl. */
export const crawlReportSchema = z.strictObject({
  start: z.string(),
  pages: z.array(crawledPageSchema),
  wrong: z.array(wrongLinkSchema),
  /** Number of links per external host. These links are not followed. */
  otherHosts: z.record(z.string(), z.int()),
  /** Links that were not followed because they may end a session or change data. */
  avoided: z.array(z.string()),
  /** Number of known addresses beyond a limit. */
  notVisited: z.int(),
  /** The limit that ended the crawl, or `all`. */
  endedBy: z.enum(CRAWL_ENDS),
  seconds: z.number(),
});
export type CrawlReport = z.infer<typeof crawlReportSchema>;

export const crawlProgressSchema = z.strictObject({
  visited: z.int(),
  known: z.int(),
  now: z.string(),
  /** The report; null except in the last item. */
  report: crawlReportSchema.nullable(),
});

/** Returns whether a page is the login page. A login form in the corner of every page does not make it one. */
export function isLoginPage(html: string, url: URL): boolean {
  return looksLikeLogin(new URL('/', url.href), url) && findLoginForm(html, url) !== null;
}

/** Returns whether a page can be visited by its address alone. Logged-in users do not visit the login page. */
export function isVisitable({ status, contentType, landedOn, isLogin }: CrawledPage): boolean {
  return (
    !isLogin &&
    status !== null &&
    status >= 200 &&
    status <= 299 &&
    landedOn === null &&
    /^(text\/html|application\/xhtml)/i.test(contentType)
  );
}

/** Returns whether a redirect from `from` led to a login page. */
export function isSentToLogin(html: string, from: URL, landedOn: URL): boolean {
  return looksLikeLogin(from, landedOn) && asksForPassword(html);
}

/** Returns whether a page redirects to a login page. */
export function asksForLogin({ landedOn, isLogin }: CrawledPage): boolean {
  return landedOn !== null && isLogin;
}

export const CRAWL_END_WORDS: Readonly<Record<CrawlReport['endedBy'], string>> = {
  all: 'All links were followed.',
  pages: 'The limit of pages was reached.',
  depth: 'Pages further away were not visited.',
  seconds: 'The time limit was reached.',
  stopped: 'You stopped the crawl.',
};

export const CRAWL_TEXTS = {
  notVisited: (count: string) => `${count} known addresses were not visited.`,
  otherHosts: (hosts: string) => `Links to other hosts were not followed: ${hosts}.`,
  avoided: (urls: string) => `Not followed, because they look as if they log out or change something: ${urls}.`,
};

/** Sorts pages: failed ones come first, then the others by time, the slowest first. */
export function sortBySlowness(pages: readonly CrawledPage[]): CrawledPage[] {
  return pages.toSorted((one, other) => (other.ms ?? Number.POSITIVE_INFINITY) - (one.ms ?? Number.POSITIVE_INFINITY));
}

/** Returns the rows of a table: a header, then the pages, the slowest first. */
export function crawlTable({ pages }: CrawlReport): string[][] {
  return [
    ['time', 'with all', 'size', 'linked', 'status', 'page'],
    ...sortBySlowness(pages).map((page) => [
      formatMs(page.ms),
      formatMs(page.ms === null ? null : page.ms + page.resourceMs),
      formatBytes(page.bytes),
      formatCount(Object.values(page.resources).reduce((sum, count) => sum + count, 0)),
      page.problem ?? String(page.status ?? ''),
      page.title === '' ? page.path : `${page.path}  (${page.title.slice(0, 40)})`,
    ]),
  ];
}

export function crawlSentences(report: CrawlReport): string[] {
  const { pages, wrong, otherHosts, avoided, notVisited, endedBy, seconds } = report;
  const hosts = Object.entries(otherHosts).map(([host, count]) => `${host} (${formatCount(count)})`);
  const closed = pages.filter(asksForLogin).length;
  const timed = sortBySlowness(pages).filter(({ ms }) => ms !== null);
  const [slowest, fastest] = [timed[0], timed.at(-1)];
  return [
    `Found ${countOf(pages.length, 'page')} in ${formatSeconds(seconds)}. ${CRAWL_END_WORDS[endedBy]}${notVisited > 0 ? ` ${CRAWL_TEXTS.notVisited(formatCount(notVisited))}` : ''}`,
    ...(slowest && fastest
      ? [`Slowest: ${slowest.path} (${formatMs(slowest.ms)}). Fastest: ${fastest.path} (${formatMs(fastest.ms)}).`]
      : []),
    ...(closed === 0
      ? []
      : [
          `${countOf(closed, 'page')} ${closed === 1 ? 'redirects' : 'redirect'} to a login page. Give --username and --password to see more.`,
        ]),
    ...(wrong.length === 0
      ? ['No broken links.']
      : [`${countOf(wrong.length, 'broken link')}:`, ...wrong.map(({ url, why, foundOn }) => `  ${url}: ${why} (on ${foundOn})`)]),
    ...(hosts.length === 0 ? [] : [CRAWL_TEXTS.otherHosts(hosts.join(', '))]),
    ...(avoided.length === 0 ? [] : [CRAWL_TEXTS.avoided(avoided.join(', '))]),
  ];
}
