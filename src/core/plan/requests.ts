import { RESOURCE_WORDS, type ResourceKind } from './schema/pages.ts';
import type { Plan, Step } from './schema/plan.ts';
import { parseTemplate } from './secrets.ts';

/** The methods of a step that do not ask the server to change anything (RFC 9110, 9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A kind of request that has figures of its own. */
export interface RecordedRequest {
  readonly name: string;
  /** Position of the step that it belongs to. */
  readonly step: number;
  /** Not what the step says, but what an answer to it sent on to. */
  readonly isRedirect: boolean;
  /** What a page of the step links to, of this kind; null for the requests of the step itself. */
  readonly resource: ResourceKind | null;
  /** false: a side call, which is part of no figure. */
  readonly isMeasured: boolean;
}

/** The name under which the redirects of a step are recorded. */
export function redirectsName(step: string): string {
  return `${step} › redirects`;
}

/**
 * Every kind of request that a run records, in the order of its figures: the steps of the journey first, at their own positions, then the redirects
 * that are followed, step by step, and then what pages link to, step by step and kind by kind.
 */
export function recordedRequests({ journey }: Pick<Plan, 'journey'>): RecordedRequest[] {
  const isMeasured = (step: number): boolean => journey[step]?.measured !== false;
  const steps = journey.map(({ name }, step) => ({ name, step, isRedirect: false, resource: null, isMeasured: isMeasured(step) }));
  const redirects = journey.flatMap(({ name, redirects: followed }, step) =>
    followed === undefined ? [] : [{ name: redirectsName(name), step, isRedirect: true, resource: null, isMeasured: isMeasured(step) }],
  );
  const resources = journey.flatMap(({ name, resources: fetched }, step) =>
    kindsOf(fetched).map((resource) => ({
      name: `${name} › ${RESOURCE_WORDS[resource]}`,
      step,
      isRedirect: false,
      resource,
      isMeasured: isMeasured(step),
    })),
  );
  return [...steps, ...redirects, ...resources];
}

/** Each kind once, whatever the plan says. */
function kindsOf(fetched: Plan['journey'][number]['resources']): ResourceKind[] {
  return [...new Set(fetched?.kinds)];
}

/** The address of another server that a step names; null where its path leads to the target. Only what stands there literally counts. */
export function sideUrlOf({ path, measured, target }: Pick<Step, 'path' | 'measured' | 'target'>): string | null {
  if (measured !== false || target !== undefined) return null;
  const [first] = parseTemplate(path);
  if (typeof first !== 'string' || !isAbsolute(first)) return null;
  const isWhole = parseTemplate(path).length === 1;
  // The host has to end before the first placeholder does anything to it.
  const written = /^https?:\/\/[^/?#\s\\@]+(?=[/?#]|$)/i.exec(first)?.[0];
  if (written === undefined || (!isWhole && written.length === first.length) || !URL.canParse(written)) return null;
  return `${new URL(written).origin}/`;
}

export function isAbsolute(path: string): boolean {
  return /^https?:/i.test(path);
}

/** Servers beside the targets that side calls go to, as `URL`s, each once. */
export function sideServers({ journey }: Pick<Plan, 'journey'>): URL[] {
  return [...new Set(journey.flatMap((step) => sideUrlOf(step) ?? []))].map((url) => new URL(url));
}

/** Whether `sideHosts` names a server: by its host alone or with its port. */
export function isNamed({ sideHosts }: Pick<Plan, 'sideHosts'>, { hostname, host }: URL): boolean {
  return (sideHosts ?? []).some((written) => [hostname, host].includes(written.toLowerCase()));
}

const GRACE_SECONDS = 30;

/** How long a load on a host goes on when the connection to it was lost, and how long that is tried to be made again. */
export function graceSecondsOf({ graceSeconds = GRACE_SECONDS }: Pick<Plan, 'graceSeconds'>): number {
  return graceSeconds;
}
