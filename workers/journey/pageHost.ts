import type { ResourceKind } from '#core/plan/schema/pages.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { WorkerData } from '../messages.ts';
import { noSuch } from '../noSuch.ts';
import { closingHeaders, type RecipeParts, runHeaders } from './recipe.ts';

/** What a walk tells those who fetch what its page links to. */
export interface PageHost {
  /** Of the request that it made last; null when there was none. */
  readonly address: URL | null;
  /** The answer was read and leads on to another request of the same page. */
  readonly isRedirected: boolean;
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
  /** Header layers for what lies on the targets of the plan, by origin. */
  readonly headersByOrigin: ReadonlyMap<string, RecipeParts['headers']>;
  /** Hosts that are asked beside the targets, as `URL.host` writes them. */
  readonly otherHosts: ReadonlySet<string>;
  readonly headersElsewhere: RecipeParts['headers'];
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

type ResolvedTarget = WorkerData['targets'][number];

/** The target that a step is sent to by users of one target of the load. */
export function resolvedTargetOf(
  { targets, namedTargets }: WorkerData,
  { target: name }: Pick<Step, 'target'>,
  index: number,
): ResolvedTarget {
  const target = name === undefined ? targets[index] : getOwn(namedTargets, name);
  if (target === undefined) throw noSuch('target', name ?? index);
  return target;
}

/** Header layers of the run and of each target that users of one target of the load send to, by origin. */
export function headersOfTargets(data: WorkerData, index: number): Map<string, RecipeParts['headers']> {
  const own = resolvedTargetOf(data, {}, index);
  // Of targets with one origin the first decides.
  const targets = [own, ...Object.values(data.namedTargets ?? {})].toReversed();
  return new Map(targets.map(({ url, headers }) => [new URL(url).origin, runHeaders(data.userAgent, headers)]));
}

/** The rules of a step for one target; null where its answer is no page. */
export function pageRulesOf(data: WorkerData, targetIndex: number, stepIndex: number): PageRules | null {
  const resources = data.plan.journey[stepIndex]?.resources;
  if (resources === undefined) return null;
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
    otherHosts: new Set(resources.otherHosts.flatMap((host) => ['http:', 'https:'].map((scheme) => new URL(`${scheme}//${host}/`).host))),
    headersByOrigin: new Map([...headersOfTargets(data, targetIndex)].map(([origin, layers]) => [origin, [...layers, own, closing]])),
    // What a plan sends to its target is nobody else's business.
    headersElsewhere: [...runHeaders(data.userAgent, {}), own, closing],
  };
}
