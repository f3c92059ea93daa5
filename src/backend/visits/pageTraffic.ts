import type { Page, Request } from 'playwright-core';
import { addName, truncateName } from '#core/base/foreignNames.ts';
import { hostOf, pathOf } from '#core/plan/url.ts';
import type { Visit } from '#core/result/visits.ts';

const MAX_NAME_LENGTH = 80;

/** Types of requests that stay open or that no user waits for. */
const IGNORED_TYPES: ReadonlySet<string> = new Set(['eventsource', 'websocket', 'ping']);

/** The requests of a page since the current span began. */
export class PageTraffic {
  private requests = 0;
  private missing: Record<string, number> = {};
  private leftOut: Record<string, number> = {};
  private readonly missed = new Set<Request>();
  /** Outstanding requests of the current span. */
  private readonly open = new Set<Request>();
  private lastResponse: number | null = null;
  private readonly allowed: ReadonlySet<string>;

  constructor(page: Page, allowed: ReadonlySet<string>) {
    this.allowed = allowed;
    page.on('request', (request) => {
      if (!this.isAllowed(request)) return;
      this.requests += 1;
      if (!IGNORED_TYPES.has(request.resourceType())) this.open.add(request);
    });
    page.on('requestfailed', (request) => {
      this.open.delete(request);
      if (this.isAllowed(request)) this.addMissing(request, request.failure()?.errorText ?? 'failed');
      else addName(this.leftOut, truncateName(hostOf(request.url()), MAX_NAME_LENGTH));
    });
    page.on('requestfinished', (request) => {
      if (!this.open.delete(request)) return;
      const { startTime, responseEnd } = request.timing();
      if (responseEnd >= 0) this.lastResponse = Math.max(this.lastResponse ?? 0, startTime + responseEnd);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.addMissing(response.request(), String(response.status()));
    });
  }

  /** Starts a new span. */
  begin(): void {
    this.requests = 0;
    this.missing = {};
    this.leftOut = {};
    this.missed.clear();
    this.open.clear();
    this.lastResponse = null;
  }

  readCounts(): Pick<Visit, 'requests' | 'missing' | 'leftOut'> {
    return { requests: this.requests, missing: { ...this.missing }, leftOut: { ...this.leftOut } };
  }

  /** Whether requests of this span are outstanding. When the page navigates away, the requests of the old page are dropped. */
  get isWaiting(): boolean {
    return this.open.size > 0;
  }

  /** Whether a document request is outstanding. */
  get isLeaving(): boolean {
    return [...this.open].some(isDocument);
  }

  /** Time of the last response in this span, in ms since 1970 by the browser's clock, or null. */
  get lastResponseMs(): number | null {
    return this.lastResponse;
  }

  private isAllowed(request: Request): boolean {
    return !URL.canParse(request.url()) || this.allowed.has(new URL(request.url()).hostname) || !/^(?:http|ws)s?:/.test(request.url());
  }

  /**
   * Adds a missing file. Only its path is reported, because a query may contain private data. The document itself is reported separately.
   */
  private addMissing(request: Request, reason: string): void {
    if (this.missed.has(request) || isDocument(request)) return;
    this.missed.add(request);
    addName(this.missing, truncateName(`${pathOf(request.url())}: ${reason}`, MAX_NAME_LENGTH));
  }
}

function isDocument(request: Request): boolean {
  return request.isNavigationRequest() && request.frame().parentFrame() === null;
}
