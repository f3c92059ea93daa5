import {
  type CrawlBounds,
  type CrawledPage,
  type CrawlReport,
  isLoginPage,
  isSentToLogin,
  type WrongLink,
} from '#core/work/crawl/report.ts';
import { type FoundLink, Frontier } from '#core/work/crawl/frontier.ts';
import type { PageLink } from '#core/work/pages/pageLinks.ts';
import { readPage } from '#core/work/pages/readPage.ts';
import { MAX_PAGE_CHARACTERS } from '#core/work/pages/readTags.ts';
import type { CallHandlers, StreamHandlers } from '#contract/rpc/server.ts';
import { toProblem } from '#core/base/errors.ts';
import { clientCertificateReferences } from '#core/plan/secrets.ts';
import { CookieJar } from '#core/work/journey/cookieJar.ts';
import { isRedirect } from '#core/work/journey/redirects.ts';
import { isSameOrigin, refererFor } from '#core/base/origins.ts';
import { resolveTarget } from '../resolveJob.ts';
import type { Secrets } from '../secrets.ts';
import { listReferences, getTargetConnection } from '../targets/targetCalls.ts';
import { NoResponseError, type SingleResponse, singleRequest } from '../targets/singleRequest.ts';
import type { TargetConnection } from '../targets/targetConnection.ts';

export interface CrawlOptions extends VisitorOptions {
  readonly bounds: CrawlBounds;
  readonly signal: AbortSignal;
  /** Called before each page. */
  onPage(visited: number, known: number, now: string): void;
}

const MAX_ERRORS = 500;
/**
 * Maximum number of bytes that are read of a page. They suffice for one character more than the limit, which shows that a page is too long.
 * A character takes at most four bytes.
 */
const MAX_PAGE_BYTES = 4 * (MAX_PAGE_CHARACTERS + 1);

/** Crawls a site like one visitor who follows every link: one request at a time, within limits. */
async function crawlSite(options: CrawlOptions): Promise<CrawlReport> {
  const runCrawl = new SiteWalk(options);
  return runCrawl.report(await runCrawl.walkAll());
}

class SiteWalk {
  private readonly options: CrawlOptions;
  private readonly visitor: SiteVisitor;
  private readonly frontier: Frontier;
  private readonly startedMs = performance.now();
  private readonly pages: CrawledPage[] = [];
  private readonly wrong: WrongLink[] = [];
  private readonly fetched = new Set<string>();

  constructor(options: CrawlOptions) {
    this.options = options;
    this.visitor = new SiteVisitor(options);
    this.frontier = new Frontier(options.start.href, options.bounds);
  }

  async walkAll(): Promise<CrawlReport['endedBy']> {
    const { frontier, options } = this;
    for (let found = frontier.takeNext(); found !== null; found = frontier.takeNext()) {
      options.onPage(frontier.visited, frontier.size, found.url);
      await this.visit(found);
      if (options.signal.aborted) return 'stopped';
      if (this.leftMs() <= 0) return 'seconds';
    }
    return frontier.endedBy;
  }

  report(endedBy: CrawlReport['endedBy']): CrawlReport {
    const { otherHosts, avoided, notVisited } = this.frontier;
    const seconds = (performance.now() - this.startedMs) / 1_000;
    return { start: this.options.start.href, pages: this.pages, wrong: this.wrong, otherHosts, avoided, notVisited, endedBy, seconds };
  }

  private leftMs(): number {
    return this.options.bounds.maxSeconds * 1_000 - (performance.now() - this.startedMs);
  }

  private async visit(found: FoundLink): Promise<void> {
    const visited = await this.visitor.get(found.url, found.foundOn, this.leftMs());
    const { response, landedOn } = visited;
    const isRedirected = landedOn.href !== found.url;
    const contentType = response?.headers['content-type'] ?? '';
    const isHtml = /^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType);
    const html = response === null || !isHtml ? null : response.body.toString('utf8', 0, MAX_PAGE_BYTES);
    const isLogin = html !== null && (isRedirected ? isSentToLogin(html, new URL(found.url), landedOn) : isLoginPage(html, landedOn));
    // The target of a redirect is visited as a separate page. Login pages are not, because they usually have another address for each page
    // that redirects to them.
    if (isRedirected && !isLogin && !this.frontier.isElsewhere(landedOn.href)) this.frontier.add([landedOn.href], found.depth, found.url);
    const page = html === null || isRedirected ? null : readPage(html, landedOn.href);
    if (response === null || response.status >= 400) this.addWrongLink(found.url, 'page', found.foundOn ?? found.url, visited);
    else if (page !== null) this.frontier.add(page.pages, found.depth + 1, landedOn.href);
    const linked = page?.resources ?? [];
    const isGood = response !== null && response.status < 400;
    const more = isGood && this.options.bounds.resources ? await this.fetch(linked, landedOn.href) : { bytes: 0, ms: 0 };
    const { pathname, search } = new URL(found.url);
    this.pages.push({
      url: found.url,
      path: pathname + search,
      depth: found.depth,
      foundOn: found.foundOn,
      status: response?.status ?? null,
      problem: visited.problem,
      landedOn: isRedirected ? landedOn.href : null,
      contentType,
      title: page?.title ?? '',
      isLogin,
      bytes: response?.body.length ?? 0,
      ms: response === null ? null : visited.ms,
      resources: getCounts(linked),
      resourceBytes: more.bytes,
      resourceMs: more.ms,
    });
  }

  /** Fetches linked resources that were not fetched before. */
  private async fetch(links: readonly PageLink[], foundOn: string): Promise<{ bytes: number; ms: number }> {
    let bytes = 0;
    let ms = 0;
    for (const { url, kind } of links) {
      if (this.frontier.isElsewhere(url)) {
        this.frontier.countHost(url);
        continue;
      }
      if (this.fetched.has(url) || this.options.signal.aborted || this.leftMs() <= 0) continue;
      this.fetched.add(url);
      const visited = await this.visitor.get(url, foundOn, this.leftMs());
      ms += visited.ms;
      bytes += visited.response?.body.length ?? 0;
      if (visited.response === null || visited.response.status >= 400) this.addWrongLink(url, kind, foundOn, visited);
    }
    return { bytes, ms };
  }

  private addWrongLink(url: string, kind: WrongLink['kind'], foundOn: string, { response, problem }: VisitOutcome): void {
    if (this.wrong.length < MAX_ERRORS) this.wrong.push({ url, kind, foundOn, why: problem ?? `status ${response?.status ?? ''}` });
  }
}

function getCounts(links: readonly PageLink[]): CrawledPage['resources'] {
  const counts = { css: 0, script: 0, image: 0, icon: 0, font: 0 };
  for (const { kind } of links) counts[kind] += 1;
  return counts;
}

export interface CrawlParts {
  readonly secrets: Secrets;
  readonly version: string;
}

const TIMEOUT_MS = 60_000;

export interface CrawlService {
  readonly calls: Pick<CallHandlers, 'sites.stopCrawl'>;
  readonly streams: Pick<StreamHandlers, 'sites.crawl'>;
}

/** Crawls sites. A crawl stops when its reader leaves, and then still reports what it found. */
export function createCrawlService({ secrets, version }: CrawlParts): CrawlService {
  const activeCrawls = new Map<string, AbortController>();
  const streams: CrawlService['streams'] = {
    'sites.crawl': ({ crawlId, target, bounds, tls, connections }, sink) => {
      const start = new URL(target.url);
      const abort = new AbortController();
      if (crawlId !== undefined) activeCrawls.set(crawlId, abort);
      const forget = (): void => {
        if (crawlId !== undefined && activeCrawls.get(crawlId) === abort) activeCrawls.delete(crawlId);
      };
      const runCrawl = async (): Promise<void> => {
        const values = await secrets.resolve([...listReferences(target), ...clientCertificateReferences(tls)]);
        const { headers } = resolveTarget(target, values);
        start.hash = '';
        let last = { visited: 0, known: 1, now: start.href };
        const report = await crawlSite({
          start,
          bounds,
          headers: { 'User-Agent': `Holdfast/${version} (crawl)`, Accept: 'text/html,*/*', ...headers },
          connection: getTargetConnection({ tls, connections }, values),
          timeoutMs: TIMEOUT_MS,
          signal: abort.signal,
          onPage(visited, known, now) {
            last = { visited, known, now };
            sink.item({ ...last, report: null });
          },
        });
        sink.item({ ...last, report });
      };
      runCrawl()
        .then(
          () => sink.end(),
          (thrown: unknown) => sink.end(toProblem(thrown)),
        )
        .finally(forget);
      return () => abort.abort();
    },
  };
  return {
    calls: {
      // Stopping a finished crawl has no effect.
      'sites.stopCrawl': ({ crawlId }) => activeCrawls.get(crawlId)?.abort(),
    },
    streams,
  };
}

const MAX_REDIRECTS = 10;

interface VisitorOptions {
  readonly start: URL;
  /** Headers that are sent only to the site. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connection: TargetConnection;
  readonly timeoutMs: number;
}

/** The result of visiting an address. */
interface VisitOutcome {
  readonly landedOn: URL;
  /** Response; null if there was none, or if redirects led away from the site or in a loop. */
  readonly response: SingleResponse | null;
  readonly problem: string | null;
  /** Total time of all requests, without the time to open connections. */
  readonly ms: number;
}

/** One visitor to one site. Sends one request after the other, follows redirects within the site and keeps cookies. */
class SiteVisitor {
  private readonly options: VisitorOptions;
  private readonly jar = new CookieJar();

  constructor(options: VisitorOptions) {
    this.options = options;
  }

  async get(address: string, referer: string | null, leftMs: number): Promise<VisitOutcome> {
    let url = new URL(address);
    let ms = 0;
    try {
      for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
        const response = await this.ask(url, referer, leftMs - ms);
        ms += response.totalMs - response.connectMs;
        this.jar.take(response.headers['set-cookie'] ?? [], url, Date.now());
        const { location } = response.headers;
        if (!isRedirect(response.status) || location === undefined || !URL.canParse(location, url.href))
          return { landedOn: url, response, problem: null, ms };
        const to = new URL(location, url);
        to.hash = '';
        if (!isSameOrigin(this.options.start, to)) return { landedOn: to, response: null, problem: `sends on to ${to.host}`, ms };
        url = to;
      }
      return { landedOn: url, response: null, problem: `more than ${MAX_REDIRECTS} redirects`, ms };
    } catch (thrown) {
      if (thrown instanceof NoResponseError) return { landedOn: url, response: null, problem: thrown.code, ms };
      throw thrown;
    }
  }

  private ask(url: URL, referer: string | null, leftMs: number): Promise<SingleResponse> {
    const { headers, connection, timeoutMs } = this.options;
    const from = referer === null ? null : refererFor(url, new URL(referer));
    const cookies = this.jar.header(url, Date.now()) ?? '';
    const given = Object.entries(headers).find(([name]) => name.toLowerCase() === 'cookie');
    const own = new Set(cookies.split('; ').map((pair) => pair.split('=')[0]));
    const otherCookies = (given?.[1] ?? '').split(/;\s*/).filter((pair) => pair !== '' && !own.has(pair.split('=')[0]));
    const cookie = [...otherCookies, ...(cookies === '' ? [] : [cookies])].join('; ');
    const others = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== given?.[0]));
    return singleRequest({
      url,
      method: 'GET',
      headers: { ...others, ...(cookie === '' ? {} : { Cookie: cookie }), ...(from === null ? {} : { Referer: from }) },
      connection,
      demandsTrust: connection.tls.verify,
      timeoutMs: Math.max(1, Math.min(timeoutMs, leftMs)),
    });
  }
}
