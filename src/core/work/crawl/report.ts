import { z } from 'zod';
import { RESOURCE_KINDS } from '#core/plan/schema/pages.ts';
import { formatBytes, formatCount, formatMs, formatSeconds, many } from '#core/base/units.ts';
import { looksLikeLogin } from '../journey/loginRedirect.ts';
import { asksForPassword, findLoginForm } from '../pages/loginForm.ts';

/** How far a walk over a site goes. */
export const crawlBoundsSchema = z.strictObject({
  maxPages: z.int().min(1).max(1_000).default(100),
  /** Links from the first page. */
  maxDepth: z.int().min(0).max(20).default(5),
  maxSeconds: z.number().positive().max(3_600).default(120),
  /** Fetch what pages link to as well, each thing once. */
  resources: z.boolean().default(true),
});
export type CrawlBounds = z.output<typeof crawlBoundsSchema>;

/** Times in milliseconds, without opening the connection: a browser keeps it. */
const crawledPageSchema = z.strictObject({
  url: z.string(),
  /** Path and query, as a step is written. */
  path: z.string(),
  depth: z.int(),
  /** The page that led to it first; null for the first one. */
  foundOn: z.string().nullable(),
  status: z.int().nullable(),
  /** Why there is no answer. */
  problem: z.string().nullable(),
  /** Where redirects led, if they did. */
  landedOn: z.string().nullable(),
  contentType: z.string(),
  title: z.string(),
  /** Whether the page is a login page or redirects to one: its address looks like a login, and it has a form with a password field. */
  isLogin: z.boolean(),
  bytes: z.int(),
  /** From the request to the last byte, redirects included. */
  ms: z.number().nullable(),
  /** What it links to, by kind, and what of that was fetched with it because no page before had it. */
  resources: z.record(z.enum(RESOURCE_KINDS), z.int()),
  resourceBytes: z.int(),
  resourceMs: z.number(),
});
export type CrawledPage = z.infer<typeof crawledPageSchema>;

const wrongLinkSchema = z.strictObject({
  url: z.string(),
  kind: z.enum(['page', ...RESOURCE_KINDS]),
  foundOn: z.string(),
  /** “status 404”, or why there was no answer. */
  why: z.string(),
});
export type WrongLink = z.infer<typeof wrongLinkSchema>;

const CRAWL_ENDS = ['all', 'pages', 'depth', 'seconds', 'stopped'] as const;

/** What one visitor finds who follows every link. */
export const crawlReportSchema = z.strictObject({
  start: z.string(),
  pages: z.array(crawledPageSchema),
  wrong: z.array(wrongLinkSchema),
  /** Links to other hosts, which were not followed, by host. */
  otherHosts: z.record(z.string(), z.int()),
  /** Links that end a session or change something by their looks, which were not followed. */
  avoided: z.array(z.string()),
  /** Known addresses that were not visited because a bound was reached. */
  notVisited: z.int(),
  /** Which bound, or all there was. */
  endedBy: z.enum(CRAWL_ENDS),
  seconds: z.number(),
});
export type CrawlReport = z.infer<typeof crawlReportSchema>;

export const crawlProgressSchema = z.strictObject({
  visited: z.int(),
  known: z.int(),
  now: z.string(),
  /** With the last item. */
  report: crawlReportSchema.nullable(),
});

/** Whether the page at this address is the one to log in on. A login form in the corner of every page makes none of them that. */
export function isLoginPage(html: string, url: URL): boolean {
  return looksLikeLogin(new URL('/', url.href), url) && findLoginForm(html, url) !== null;
}

/** Good pages that a visitor could be sent to by their address alone. Whoever is logged in does not visit the login page. */
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

/** Whether a redirect from `from` to this page led to a login page. */
export function isSentToLogin(html: string, from: URL, landedOn: URL): boolean {
  return looksLikeLogin(from, landedOn) && asksForPassword(html);
}

/** Whether the page sends visitors who are not logged in to a login page. */
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

/** What a crawl left alone. */
export const CRAWL_WORDS = {
  notVisited: (count: string) => `${count} known addresses were not visited.`,
  otherHosts: (hosts: string) => `Links to other hosts were not followed: ${hosts}.`,
  avoided: (urls: string) => `Not followed, because they look as if they log out or change something: ${urls}.`,
};

/** Slowest first; pages without an answer before them. */
export function bySlowness(pages: readonly CrawledPage[]): CrawledPage[] {
  return pages.toSorted((one, other) => (other.ms ?? Number.POSITIVE_INFINITY) - (one.ms ?? Number.POSITIVE_INFINITY));
}

/** Rows of a table: a heading, then the pages, slowest first. */
export function crawlTable({ pages }: CrawlReport): string[][] {
  return [
    ['time', 'with all', 'size', 'linked', 'status', 'page'],
    ...bySlowness(pages).map((page) => [
      formatMs(page.ms),
      formatMs(page.ms === null ? null : page.ms + page.resourceMs),
      formatBytes(page.bytes),
      formatCount(Object.values(page.resources).reduce((sum, count) => sum + count, 0)),
      page.problem ?? String(page.status ?? ''),
      page.title === '' ? page.path : `${page.path}  (${page.title.slice(0, 40)})`,
    ]),
  ];
}

/** What there is to say beside the table. */
export function crawlSentences(report: CrawlReport): string[] {
  const { pages, wrong, otherHosts, avoided, notVisited, endedBy, seconds } = report;
  const hosts = Object.entries(otherHosts).map(([host, count]) => `${host} (${formatCount(count)})`);
  const closed = pages.filter(asksForLogin).length;
  const timed = bySlowness(pages).filter(({ ms }) => ms !== null);
  const [slowest, fastest] = [timed[0], timed.at(-1)];
  return [
    `Found ${many(pages.length, 'page')} in ${formatSeconds(seconds)}. ${CRAWL_END_WORDS[endedBy]}${notVisited > 0 ? ` ${CRAWL_WORDS.notVisited(formatCount(notVisited))}` : ''}`,
    ...(slowest && fastest
      ? [`Slowest: ${slowest.path} (${formatMs(slowest.ms)}). Fastest: ${fastest.path} (${formatMs(fastest.ms)}).`]
      : []),
    ...(closed === 0
      ? []
      : [
          `${many(closed, 'page')} ${closed === 1 ? 'redirects' : 'redirect'} to a login page. Give --username and --password to see more.`,
        ]),
    ...(wrong.length === 0
      ? ['No broken links.']
      : [`${many(wrong.length, 'broken link')}:`, ...wrong.map(({ url, why, foundOn }) => `  ${url}: ${why} (on ${foundOn})`)]),
    ...(hosts.length === 0 ? [] : [CRAWL_WORDS.otherHosts(hosts.join(', '))]),
    ...(avoided.length === 0 ? [] : [CRAWL_WORDS.avoided(avoided.join(', '))]),
  ];
}
