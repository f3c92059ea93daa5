import { getOwn } from '../base/ownMembers.ts';
import { type Plan, targetSchema, type Step, type Target } from './schema/plan.ts';

/** Completes an address: `contest.example.org` gets `http://`. An address with a scheme stays unchanged. */
export function completeUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return trimmed;
  if (/^(mailto|javascript|data|file|about|blob):/i.test(trimmed)) return trimmed;
  return `http://${trimmed.replace(/^\/+/, '')}`;
}

/** Returns why a text is not a valid target address; null if valid or empty. */
export function urlProblem(text: string): string | null {
  if (text.trim() === '') return null;
  const parsed = targetSchema.shape.url.safeParse(completeUrl(text));
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? null);
}

/** Returns host and port of a URL; other text unchanged. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns the path of a URL without its query; other text unchanged. */
export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** Returns whether the completed address uses TLS. */
export function isSecureUrl(text: string): boolean {
  return /^https:/i.test(completeUrl(text));
}

/** Returns the same address over https, with the redirect's port, if a redirect leads there; null otherwise. */
export function secureAddress(from: string, location: string): string | null {
  if (!URL.canParse(location, from)) return null;
  const [plain, to] = [new URL(from), new URL(location, from)];
  if (to.protocol !== 'https:' || to.hostname !== plain.hostname) return null;
  return new URL(`${plain.pathname}${plain.search}`, to.href).href;
}

/** Connection settings of a plan, for single requests over the same path. */
export interface ConnectionSettings {
  readonly tls: Plan['tls'];
  readonly connections: Pick<Plan['connections'], 'socketPath' | 'localAddresses' | 'protocol' | 'resolve'>;
}

export function connectionSettings({ tls, connections }: Pick<Plan, 'tls' | 'connections'>): ConnectionSettings {
  const { socketPath, localAddresses, resolve } = connections;
  return {
    tls,
    connections: {
      ...(socketPath === undefined ? {} : { socketPath }),
      ...(localAddresses === undefined ? {} : { localAddresses }),
      ...(resolve === undefined ? {} : { resolve }),
    },
  };
}

type TargetsOfPlan = Pick<Plan, 'targets' | 'namedTargets'>;

/** Returns all targets of a plan: those of the load, and the named ones. */
export function listTargets({ targets, namedTargets = {} }: TargetsOfPlan): Target[] {
  return [...targets, ...Object.values(namedTargets)];
}

/** Returns the named target of a step; undefined if the step has none or the name is unknown. */
export function findNamedTarget({ namedTargets = {} }: Pick<Plan, 'namedTargets'>, { target }: Pick<Step, 'target'>): Target | undefined {
  return target === undefined ? undefined : getOwn(namedTargets, target);
}

/** Returns the target of a step: the named one, or else the first target of the load. */
export function targetOfStep(plan: TargetsOfPlan, step: Pick<Step, 'target'>): Target | undefined {
  return findNamedTarget(plan, step) ?? plan.targets[0];
}

/** Decodes a part of an address. Returns it unchanged if it is malformed. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
