import type { ResourceKind } from '#core/plan/schema/pages.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import type { WorkerData } from '../messages.ts';
import { closingHeaders, runHeaders } from './recipe.ts';

/** What a walk tells those who fetch what its page links to. */
export interface PageHost {
  /** Of the request that it made last; null when there was none. */
  readonly address: URL | null;
  /** The answer was read and leads on to another request of the same page. */
  readonly leadsOn: boolean;
  /** Changes when the user forgets everything, as somebody new would know nothing. */
  readonly users: number;
  /** The value of the `Cookie` header for a request of `url`; null when there is none. */
  cookiesFor(url: URL): string | null;
  takeCookies(lines: readonly string[], url: URL): void;
}

/** How what the pages of one step link to is fetched from one target. */
export interface PageRules {
  /** Where the figures of the kinds belong that are fetched; the others are not. */
  readonly slots: ReadonlyMap<ResourceKind, number>;
  readonly isSerial: boolean;
  /** Only tags count: no style sheet is read, and no redirect is followed. */
  readonly readsTags: boolean;
  /** Of one user to one host. */
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

/** Browsers send these with whatever they ask for. */
const SENT_WITH_ALL = /^accept-(encoding|language)$/i;

/** What browsers ask for at once over one connection of HTTP/2, whatever they do over HTTP/1.1. */
const STREAMS_OF_BROWSERS = 100;

function lanesOf({ connections: { protocol } }: Plan, { how, connections }: NonNullable<Step['resources']>): number {
  if (how === 'serial') return 1;
  return protocol === 'h2' ? STREAMS_OF_BROWSERS : connections;
}

/** The rules of a step for one target; null where its answer is no page. */
export function pageRulesOf(data: WorkerData, targetIndex: number, stepIndex: number): PageRules | null {
  const resources = data.plan.journey[stepIndex]?.resources;
  const target = data.targets[targetIndex];
  if (resources === undefined || target === undefined) return null;
  const slots = recordedRequests(data.plan).flatMap(({ step, resource }, slot) =>
    step === stepIndex && resource !== null ? [[resource, slot] as const] : [],
  );
  const step = data.steps[stepIndex]?.headers ?? {};
  const own = Object.fromEntries(Object.entries(step).filter(([name, value]) => SENT_WITH_ALL.test(name) && !hasPlaceholders(value)));
  const closing = closingHeaders(data.plan);
  return {
    slots: new Map(slots),
    isSerial: resources.how === 'serial',
    readsTags: resources.reads === 'tags',
    connections: lanesOf(data.plan, resources),
    origin: new URL(target.url).origin,
    otherHosts: new Set(resources.otherHosts.flatMap((host) => ['http:', 'https:'].map((scheme) => new URL(`${scheme}//${host}/`).host))),
    headers: [...runHeaders(data.userAgent, target.headers), own, closing],
    // What a plan sends to its target is nobody else's business.
    headersElsewhere: [...runHeaders(data.userAgent, {}), own, closing],
  };
}
