import { sideServers } from './sideCalls.ts';
import type { Plan } from './schema.ts';

/**
 * Hosts of the plan's targets, of what it watches, of what pages link to and of side calls, that may belong to somebody else, each once: not loopback, not a private, link-local or
 * shared address, not behind a Unix socket, not a name that only works inside a network (single label, .localhost, .local, .internal, .home.arpa).
 */
export function publicHosts(plan: Plan): string[] {
  // A Unix socket belongs to a program on this machine, whatever host the requests name.
  const targets = plan.connections.socketPath === undefined ? plan.targets : [];
  const counted = (plan.stored ?? []).flatMap((count) => ('url' in count ? [count] : []));
  const named = [...targets, ...(plan.watch ?? []), ...counted].map(({ url }) => new URL(url).hostname);
  const beside = sideServers(plan).map(({ hostname }) => hostname);
  return [...new Set([...named, ...otherHosts(plan), ...beside])].filter(isPublicHost);
}

/** Hosts beside the targets that are asked for what pages link to, without their ports. */
function otherHosts({ journey }: Pick<Plan, 'journey'>): string[] {
  const hosts = journey.flatMap(({ resources }) => resources?.otherHosts ?? []);
  return [...new Set(hosts)].map((host) => new URL(`http://${host}/`).hostname);
}

/** Whether any target is reached over TLS, so that certificates matter. */
export function hasSecureTarget({ targets }: Pick<Plan, 'targets'>): boolean {
  return targets.some(({ url }) => new URL(url).protocol === 'https:');
}

/** Public hosts of the plan that nobody has confirmed to be theirs to test. */
export function unconsentedHosts(plan: Plan): string[] {
  const consented = new Set(plan.safety.consentedHosts.map((host) => host.toLowerCase()));
  return publicHosts(plan).filter((host) => !consented.has(host));
}

/** Whether a host name, as `URL.hostname` writes it, may belong to somebody else. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return isPublicIpv6(host.slice(1, -1));
  const parts = host.split('.');
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part))) return isPublicIpv4(parts.map(Number));
  if (parts.length === 1) return false;
  return !/(^|\.)(localhost|local|internal|home\.arpa|localdomain)$/.test(host);
}

/** RFC 1918, 1122 (loopback, this host), 3927 (link-local), 6598 (shared by carriers). */
function isPublicIpv4([a = 0, b = 0]: readonly number[]): boolean {
  const local =
    a === 0 ||
    a === 127 ||
    a === 10 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127);
  return !local;
}

/** RFC 4193 (unique local, fc00::/7), 4291 (loopback, link-local fe80::/10), 4291 §2.5.5 (IPv4 inside IPv6). */
function isPublicIpv6(address: string): boolean {
  if (address === '::' || address === '::1') return false;
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address);
  if (mapped) {
    const high = Number.parseInt(mapped[1] ?? '', 16);
    return isPublicIpv4([high >> 8, high & 0xff]);
  }
  const first = Number.parseInt(address.split(':')[0] ?? '', 16);
  return !((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80);
}
