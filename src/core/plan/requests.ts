import { RESOURCE_WORDS, type ResourceKind } from './schema/step.ts';
import type { Plan, Step } from './schema/plan.ts';
import { parseTemplate } from './secrets.ts';

/** Methods that do not request changes on the server (RFC 9110, 9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A request type that has its own figures. */
export interface RecordedRequest {
  readonly name: string;
  /** Index of its step. */
  readonly step: number;
  /** Whether the requests follow redirects of the step. */
  readonly isRedirect: boolean;
  /** Kind of resources of the step's page; null for requests of the step itself. */
  readonly resource: ResourceKind | null;
  /** Whether the requests are measured. False for a side call, which is in no figure. */
  readonly isMeasured: boolean;
}

export function redirectsName(step: string): string {
  return `${step} › redirects`;
}

/**
 * Returns every request type of a run in the order of its figures: first the steps of the journey at their own positions, then their
 * redirects by step, and then resources by step and kind.
 */
export function listRecordedRequests({ journey }: Pick<Plan, 'journey'>): RecordedRequest[] {
  const isMeasured = (step: number): boolean => journey[step]?.measured !== false;
  const steps = journey.map(({ name }, step) => ({ name, step, isRedirect: false, resource: null, isMeasured: isMeasured(step) }));
  const redirects = journey.flatMap(({ name, redirects: followed }, step) =>
    followed === undefined ? [] : [{ name: redirectsName(name), step, isRedirect: true, resource: null, isMeasured: isMeasured(step) }],
  );
  const resources = journey.flatMap(({ name, resources: fetched }, step) =>
    listKinds(fetched).map((resource) => ({
      name: `${name} › ${RESOURCE_WORDS[resource]}`,
      step,
      isRedirect: false,
      resource,
      isMeasured: isMeasured(step),
    })),
  );
  return [...steps, ...redirects, ...resources];
}

/** Returns each resource kind once. */
function listKinds(resources: Plan['journey'][number]['resources']): ResourceKind[] {
  return [...new Set(resources?.kinds)];
}

/** Returns the address of another server in a step's path, if it is literal; null if the path leads to the target. */
export function findSideUrl({ path, measured, target }: Pick<Step, 'path' | 'measured' | 'target'>): string | null {
  if (measured !== false || target !== undefined) return null;
  const [first] = parseTemplate(path);
  if (typeof first !== 'string' || !isAbsolute(first)) return null;
  const isWhole = parseTemplate(path).length === 1;
  // A placeholder must not be able to change the host.
  const written = /^https?:\/\/[^/?#\s\\@]+(?=[/?#]|$)/i.exec(first)?.[0];
  if (written === undefined || (!isWhole && written.length === first.length) || !URL.canParse(written)) return null;
  return `${new URL(written).origin}/`;
}

export function isAbsolute(path: string): boolean {
  return /^https?:/i.test(path);
}

/** Returns the servers of side calls as `URL`s, each once. */
export function sideServers({ journey }: Pick<Plan, 'journey'>): URL[] {
  return [...new Set(journey.flatMap((step) => findSideUrl(step) ?? []))].map((url) => new URL(url));
}

/** Returns whether `sideHosts` contains the server, by host or by host and port. */
export function isNamed({ sideHosts }: Pick<Plan, 'sideHosts'>, { hostname, host }: URL): boolean {
  return (sideHosts ?? []).some((written) => [hostname, host].includes(written.toLowerCase()));
}

const GRACE_SECONDS = 30;

/**
 * Returns the seconds for which a host continues its load after it has lost the connection to Holdfast. During this time, Holdfast tries to
 * reconnect.
 */
export function readGraceSeconds({ graceSeconds = GRACE_SECONDS }: Pick<Plan, 'graceSeconds'>): number {
  return graceSeconds;
}
