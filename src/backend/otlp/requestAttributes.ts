import type { Plan } from '#core/plan/schema/plan.ts';
import { showReferences } from '#core/plan/hiddenText.ts';
import { stageName } from '#core/plan/names.ts';
import { listRecordedRequests, type RecordedRequest } from '#core/plan/requests.ts';
import { getOwn } from '#core/base/ownMembers.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ['http:', 80],
  ['https:', 443],
]);

/**
 * Returns the attributes of each recorded request of a plan, by OpenTelemetry's semantic conventions for HTTP clients. Address and method
 * are left out if requests with the same name may have different ones, as with several targets, redirects, or resources of other hosts.
 */
export function listRequestAttributes(plan: Plan): Attributes[] {
  return listRecordedRequests(plan).map((request) => ({
    'holdfast.step': showReferences(request.name),
    'http.request.method': findMethod(plan, request),
    ...describeServer(findUrl(plan, request)),
  }));
}

/** Returns the attributes of the only server of the load; none if the plan names several. */
export function findServerAttributes(plan: Plan): Attributes {
  return describeServer(findOnlyServer(plan.targets.map(({ url }) => url)));
}

/** Returns the names of the stages by their numbers in windows, where the start-up of a stage has a separate number. */
export function listStageNames(plan: Plan): string[] {
  const names = [...plan.load.stages.keys()].map((index) => showReferences(stageName(plan, index)));
  return [...names, ...names.map((name) => `${name} (start-up)`)];
}

function findMethod({ journey }: Plan, { step, isRedirect, resource }: RecordedRequest): string {
  const method = resource === null ? (journey[step]?.method ?? 'GET') : 'GET';
  // A redirect may turn a form into a GET.
  return isRedirect && method !== 'GET' ? '_OTHER' : method;
}

function findUrl(plan: Plan, { step, isRedirect, resource }: RecordedRequest): string | null {
  const { target, resources } = plan.journey[step] ?? {};
  if (isRedirect || (resource !== null && resources?.otherHosts.length !== 0)) return null;
  if (target !== undefined) return getOwn(plan.namedTargets, target)?.url ?? null;
  return findOnlyServer(plan.targets.map(({ url }) => url));
}

function findOnlyServer(urls: readonly string[]): string | null {
  const origins = new Set(urls.map((url) => new URL(url).origin));
  return origins.size === 1 ? (urls[0] ?? null) : null;
}

function describeServer(url: string | null): Attributes {
  if (url === null) return {};
  const { protocol, hostname, port } = new URL(url);
  return {
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': port === '' ? (DEFAULT_PORTS.get(protocol) ?? 0) : Number(port),
    'url.scheme': protocol.slice(0, -1),
  };
}
