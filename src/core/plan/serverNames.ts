import { truncateName } from '#core/base/foreignNames.ts';
import type { Plan } from './schema/plan.ts';

/**
 * Returns the name of a target among several: its own name, or else its host and port, with the path if it is needed to distinguish
 * targets.
 */
export function targetName(plan: Pick<Plan, 'targets'>, index: number): string {
  const target = plan.targets[index];
  if (target === undefined) return `target ${index + 1}`;
  if (target.name !== undefined) return target.name;
  const { host, pathname } = new URL(target.url);
  const isAlone = plan.targets.every((other, position) => position === index || new URL(other.url).host !== host);
  return isAlone ? host : `${host}${pathname}`;
}

export function reportsServers({ targets, servers }: Pick<Plan, 'targets' | 'servers'>): boolean {
  return targets.length > 1 || servers?.header !== undefined;
}

/**
 * Returns the name of the server that responded: its target if there are several, and the value of the plan's server header. `headerValue`
 * is the value of that header; undefined if there was no header or no response. Returns null if the name is unknown.
 */
export function serverName(plan: Pick<Plan, 'targets'>, target: number, headerValue: string | undefined): string | null {
  const targetPart = plan.targets.length > 1 ? targetName(plan, target) : null;
  const name = truncateName(headerValue ?? '', MAX_NAME_LENGTH);
  return name === '' ? targetPart : prefixTarget(targetPart, name);
}

const TARGET_SEPARATOR = ' › ';

/** Returns the target part of a {@link serverName}; null if the name has only one part. */
export function targetOfServer(name: string): string | null {
  const at = name.indexOf(TARGET_SEPARATOR);
  return at < 0 ? null : name.slice(0, at);
}

/** Servers in a header: the one that responded, and those that a proxy tried before without success. */
export interface StatedServers {
  readonly name: string;
  readonly tried: readonly string[];
}

/**
 * Splits a {@link serverName}. nginx's `$upstream_addr` lists all servers that were tried, and the one that responded last: “A, B”, or “A :
 * B” if the request passed to another group.
 */
export function parseServerNames(headerValue: string): StatedServers {
  const target = targetOfServer(headerValue);
  const listed = target === null ? headerValue : headerValue.slice(target.length + TARGET_SEPARATOR.length);
  const names = listed
    .split(/, | : /)
    .flatMap((one) => (one.trim() === '' || one.trim() === '-' ? [] : [prefixTarget(target, one.trim())]));
  return { name: names.at(-1) ?? headerValue, tried: names.slice(0, -1) };
}

function prefixTarget(target: string | null, name: string): string {
  return target === null ? name : `${target}${TARGET_SEPARATOR}${name}`;
}

/**
 * Returns whether a name is the address of a server. Any other name among addresses is an upstream group of nginx, which logs its name if
 * no server was available.
 */
export function isAddress(name: string): boolean {
  return /(?:^|› )unix:|:\d+$/.test(name);
}

/** Maximum length of a name, which may be a list of addresses. */
const MAX_NAME_LENGTH = 200;
