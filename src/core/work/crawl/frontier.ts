import { MAX_NAMES, OTHERS } from '#core/base/foreignNames.ts';
import type { CrawlBounds, CrawlReport } from './report.ts';

export interface FoundLink {
  readonly url: string;
  readonly depth: number;
  readonly foundOn: string | null;
}

/** Matches links that may log out or change data when they are followed. Sites should not have such links, but many do. */
const UNSAFE_LINK_PATTERN =
  /(^|[/_.?&=-])(log-?_?out|log-?_?off|sign-?_?out|abmelden|delete|remove|destroy|unsubscribe|cancel)([/_.?&=-]|$)/i;
const MAX_KNOWN = 20_000;
const MAX_AVOIDED = 100;

/** Known, visited and next addresses of a site, visited in breadth-first order. */
export class Frontier {
  private readonly origin: string;
  private readonly bounds: CrawlBounds;
  private readonly known = new Set<string>();
  private readonly waiting: FoundLink[] = [];
  private next = 0;
  private tooDeep = 0;
  private readonly avoidedUrls = new Set<string>();
  private readonly hosts = new Map<string, number>();

  constructor(start: string, bounds: CrawlBounds) {
    this.origin = new URL(start).origin;
    this.bounds = bounds;
    this.known.add(start);
    this.waiting.push({ url: start, depth: 0, foundOn: null });
  }

  get visited(): number {
    return this.next;
  }

  get size(): number {
    return this.known.size;
  }

  get avoided(): string[] {
    return [...this.avoidedUrls];
  }

  get otherHosts(): Record<string, number> {
    return Object.fromEntries(this.hosts);
  }

  get notVisited(): number {
    return this.waiting.length - this.next + this.tooDeep;
  }

  /** Adds the links of a page at `depth`. */
  add(urls: readonly string[], depth: number, foundOn: string): void {
    for (const url of urls) {
      if (this.isElsewhere(url)) this.countHost(url);
      else if (!this.known.has(url) && this.known.size < MAX_KNOWN) this.take(url, depth, foundOn);
    }
  }

  isElsewhere(url: string): boolean {
    return new URL(url).origin !== this.origin;
  }

  countHost(url: string): void {
    const { host } = new URL(url);
    const name = this.hosts.has(host) || this.hosts.size < MAX_NAMES ? host : OTHERS;
    this.hosts.set(name, (this.hosts.get(name) ?? 0) + 1);
  }

  /** Returns the next page; null if none is left within the limits. */
  takeNext(): FoundLink | null {
    if (this.next >= this.bounds.maxPages) return null;
    const found = this.waiting[this.next];
    if (found === undefined) return null;
    this.next += 1;
    return found;
  }

  /** Reason for the end of a crawl that was neither stopped nor out of time. */
  get endedBy(): CrawlReport['endedBy'] {
    if (this.next < this.waiting.length) return 'pages';
    return this.tooDeep > 0 ? 'depth' : 'all';
  }

  private take(url: string, depth: number, foundOn: string): void {
    const { pathname, search } = new URL(url);
    if (UNSAFE_LINK_PATTERN.test(pathname + search)) {
      if (this.avoidedUrls.size < MAX_AVOIDED) this.avoidedUrls.add(url);
      return;
    }
    this.known.add(url);
    if (depth > this.bounds.maxDepth) this.tooDeep += 1;
    else this.waiting.push({ url, depth, foundOn });
  }
}
