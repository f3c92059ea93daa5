import { z } from 'zod';
import { leadsToLogin } from '../journey/loginRedirect.ts';
import { RESOURCE_KINDS } from '#core/plan/schema/pages.ts';

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
export const crawledPageSchema = z.strictObject({
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
  bytes: z.int(),
  /** From the request to the last byte, redirects included. */
  ms: z.number().nullable(),
  /** What it links to, by kind, and what of that was fetched with it because no page before had it. */
  resources: z.record(z.enum(RESOURCE_KINDS), z.int()),
  resourceBytes: z.int(),
  resourceMs: z.number(),
});
export type CrawledPage = z.infer<typeof crawledPageSchema>;

export const wrongLinkSchema = z.strictObject({
  url: z.string(),
  kind: z.enum(['page', ...RESOURCE_KINDS]),
  foundOn: z.string(),
  /** “status 404”, or why there was no answer. */
  why: z.string(),
});
export type WrongLink = z.infer<typeof wrongLinkSchema>;

export const CRAWL_ENDS = ['all', 'pages', 'depth', 'seconds', 'stopped'] as const;

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

/** Good pages that a visitor could be sent to by their address alone. */
export function isVisitable({ status, contentType, landedOn }: CrawledPage): boolean {
  return status !== null && status >= 200 && status <= 299 && landedOn === null && /^(text\/html|application\/xhtml)/i.test(contentType);
}

/** Sends to a login page whoever is not logged in. */
export function asksForLogin({ url, landedOn }: CrawledPage): boolean {
  return landedOn !== null && leadsToLogin(new URL(url), new URL(landedOn));
}
