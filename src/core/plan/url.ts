import { type Plan, targetSchema } from './schema/plan.ts';

/** The address that is meant: `contest.example.org` gets its `http://`; what has a scheme already stays as it is. */
export function completeUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return trimmed;
  if (/^(mailto|javascript|data|file|about|blob):/i.test(trimmed)) return trimmed;
  return `http://${trimmed.replace(/^\/+/, '')}`;
}

/** Why the text is no address to test; null when it is one. An empty text has no problem yet. */
export function urlProblem(text: string): string | null {
  if (text.trim() === '') return null;
  const parsed = targetSchema.shape.url.safeParse(completeUrl(text));
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? null);
}

/** Host and port of an address; what is none stays as it is. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** The path of an address, without its query; what is none stays as it is. */
export function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url;
}

/** Whether the address, as it will be completed, is reached over TLS. */
export function isSecureUrl(text: string): boolean {
  return /^https:/i.test(completeUrl(text));
}

/** The same place by https, where a redirect leads there; its port is that of the redirect. */
export function secureAddress(from: string, location: string): string | null {
  if (!URL.canParse(location, from)) return null;
  const [plain, to] = [new URL(from), new URL(location, from)];
  if (to.protocol !== 'https:' || to.hostname !== plain.hostname) return null;
  return new URL(`${plain.pathname}${plain.search}`, to.href).href;
}

/** The parts of a plan that say how its targets are reached, for single requests that shall go the same way. */
export interface ConnectionSettings {
  readonly tls: Plan['tls'];
  readonly connections: Pick<Plan['connections'], 'socketPath' | 'localAddresses' | 'protocol' | 'resolve'>;
}

export function connectionSettingsOf({ tls, connections }: Pick<Plan, 'tls' | 'connections'>): ConnectionSettings {
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
