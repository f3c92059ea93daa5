import type { ResourceKind } from '#core/plan/schema/step.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { WorkerData } from '../messages.ts';
import { missingPartError } from '../noSuch.ts';
import { closingHeaders, type RecipeParts, runHeaders } from './recipe.ts';

/** The state of a walk that page fetching uses. */
export interface PageHost {
  /** Address of the last request; null if there was none. */
  readonly address: URL | null;
  /** Whether the response redirects to another request of the same page. */
  readonly isRedirected: boolean;
  /** Number that changes when the user starts anew with empty memory. */
  readonly users: number;
  /** Returns the `Cookie` header for a request to `url`; null if there is none. */
  cookiesFor(url: URL): string | null;
  takeCookies(lines: readonly string[], url: URL): void;
}

/** How the page resources of one step are fetched from one target. */
export interface PageRules {
  readonly requestIndexes: ReadonlyMap<ResourceKind, number>;
  readonly isSerial: boolean;
  /** Whether only tags are read: no style sheets are read, and no redirects are followed. */
  readonly readsTags: boolean;
  readonly connections: number;
  /** Header layers for the plan's targets, by origin. */
  readonly headersByOrigin: ReadonlyMap<string, RecipeParts['headers']>;
  /** Other hosts from which resources are fetched, in the form of `URL.host`. */
  readonly otherHosts: ReadonlySet<string>;
  readonly headersElsewhere: RecipeParts['headers'];
}

/** A request whose response is a page or a redirect to one. */
export interface PageRequest {
  readonly rules: PageRules;
  readonly host: PageHost;
  /** Whether the request is not caused by a redirect. */
  readonly isFirst: boolean;
}

/** Matches headers that browsers send with every request. */
const BROWSER_HEADER_PATTERN = /^accept-(encoding|language)$/i;

/** Maximum number of concurrent requests of browsers on one HTTP/2 connection. */
const MAX_BROWSER_STREAMS = 100;

function countConnections({ connections: { protocol } }: Plan, { how, connections }: NonNullable<Step['resources']>): number {
  if (how === 'serial') return 1;
  return protocol === 'h2' ? MAX_BROWSER_STREAMS : connections;
}

type ResolvedTarget = WorkerData['targets'][number];

/** Returns the target of a step for users of one target of the load. */
export function resolveTarget(
  { targets, namedTargets }: WorkerData,
  { target: name }: Pick<Step, 'target'>,
  index: number,
): ResolvedTarget {
  const target = name === undefined ? targets[index] : getOwn(namedTargets, name);
  if (target === undefined) throw missingPartError('target', name ?? index);
  return target;
}

/** Returns the header layers of the run and of each target, by origin, for users of one target of the load. */
export function headersOfTargets(data: WorkerData, index: number): Map<string, RecipeParts['headers']> {
  const own = resolveTarget(data, {}, index);
  // If several targets have the same origin, the headers of the first are used.
  const targets = [own, ...Object.values(data.namedTargets ?? {})].toReversed();
  return new Map(targets.map(({ url, headers }) => [new URL(url).origin, runHeaders(data.userAgent, headers)]));
}

/** Returns the page rules of a step for one target; null if its response is not a page. */
export function findPageRules(data: WorkerData, targetIndex: number, stepIndex: number): PageRules | null {
  const resources = data.plan.journey[stepIndex]?.resources;
  if (resources === undefined) return null;
  const requestIndexes = listRecordedRequests(data.plan).flatMap(({ step, resource }, requestIndex) =>
    step === stepIndex && resource !== null ? [[resource, requestIndex] as const] : [],
  );
  const step = data.steps[stepIndex]?.headers ?? {};
  const own = Object.fromEntries(
    Object.entries(step).filter(([name, value]) => BROWSER_HEADER_PATTERN.test(name) && !hasPlaceholders(value)),
  );
  const closing = closingHeaders(data.plan);
  return {
    requestIndexes: new Map(requestIndexes),
    isSerial: resources.how === 'serial',
    readsTags: resources.reads === 'tags',
    connections: countConnections(data.plan, resources),
    otherHosts: new Set(resources.otherHosts.flatMap((host) => ['http:', 'https:'].map((scheme) => new URL(`${scheme}//${host}/`).host))),
    headersByOrigin: new Map([...headersOfTargets(data, targetIndex)].map(([origin, layers]) => [origin, [...layers, own, closing]])),
    // Headers that are meant for the target are sent to no other host.
    headersElsewhere: [...runHeaders(data.userAgent, {}), own, closing],
  };
}
