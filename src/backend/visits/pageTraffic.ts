import type { Page, Request } from 'playwright-core';
import { addName, shortName } from '#core/base/foreignNames.ts';
import type { Visit } from '#core/result/visit.ts';

const LONGEST_NAME = 80;

/** What the page asked for. */
export class PageTraffic {
  private requests = 0;
  private readonly missing: Record<string, number> = {};
  private readonly leftOut: Record<string, number> = {};
  private readonly missed = new Set<Request>();
  private readonly allowed: ReadonlySet<string>;

  constructor(page: Page, allowed: ReadonlySet<string>) {
    this.allowed = allowed;
    page.on('request', (request) => {
      if (this.isAllowed(request)) this.requests += 1;
    });
    page.on('requestfailed', (request) => {
      if (this.isAllowed(request)) this.miss(request, request.failure()?.errorText ?? 'failed');
      else addName(this.leftOut, shortName(hostOf(request.url()), LONGEST_NAME));
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.miss(response.request(), String(response.status()));
    });
  }

  counts(): Pick<Visit, 'requests' | 'missing' | 'leftOut'> {
    return { requests: this.requests, missing: { ...this.missing }, leftOut: { ...this.leftOut } };
  }

  private isAllowed(request: Request): boolean {
    return !URL.canParse(request.url()) || this.allowed.has(new URL(request.url()).hostname) || !/^(?:http|ws)s?:/.test(request.url());
  }

  /** A path alone: a query may hold what nobody should read. The page itself is told of apart. */
  private miss(request: Request, why: string): void {
    if (this.missed.has(request) || (request.isNavigationRequest() && request.frame().parentFrame() === null)) return;
    this.missed.add(request);
    addName(this.missing, shortName(`${pathOf(request.url())}: ${why}`, LONGEST_NAME));
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}
