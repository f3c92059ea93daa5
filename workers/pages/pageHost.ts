import type { ResourceKind } from '#core/plan/schema/pages.ts';

/** What a walk tells those who fetch what its page links to. */
export interface PageHost {
  /** Of the request that it made last; null when there was none. */
  readonly address: URL | null;
  /** The answer was read and leads on to another request of the same page. */
  readonly leadsOn: boolean;
  /** Changes when the visitor forgets everything, as somebody new would know nothing. */
  readonly visitors: number;
  /** The value of the `Cookie` header for a request of `url`; null when there is none. */
  cookiesFor(url: URL): string | null;
  takeCookies(lines: readonly string[], url: URL): void;
}

/** How what the pages of one step link to is fetched from one target. */
export interface PageRules {
  /** Where the figures of the kinds belong that are fetched; the others are not. */
  readonly slots: ReadonlyMap<ResourceKind, number>;
  readonly isSerial: boolean;
  /** Of one visitor to one host. */
  readonly connections: number;
  /** Of the target. */
  readonly origin: string;
  /** Hosts that are asked beside the target's, as `URL.host` writes them. */
  readonly otherHosts: ReadonlySet<string>;
  /** Header layers for what lies on the target, and for what lies elsewhere. */
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly headersElsewhere: readonly Readonly<Record<string, string>>[];
}

/** A request whose answer is a page, or leads to one. */
export interface PageRequest {
  readonly rules: PageRules;
  readonly host: PageHost;
  /** Not a redirect on the way. */
  readonly isFirst: boolean;
}
