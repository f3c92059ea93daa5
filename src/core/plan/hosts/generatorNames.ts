import { type ClockOffset, HERE, isHere, THIS_COMPUTER } from '../schema/hosts.ts';
import type { Plan } from '../schema/plan.ts';
import { listTargets } from '../url.ts';

/** One exchange of clock readings: the times at which this computer sent and received, and the other clock's time in between. */
export interface ClockReading {
  readonly askedMs: number;
  readonly repliedMs: number;
  readonly thereMs: number;
}

/**
 * Returns how far the other clock is ahead; null if there are no readings. The reply was made at an unknown instant of the round trip,
 * so half of the round trip bounds the error (RFC 5905, section 8). The shortest round trip is the best reading.
 */
export function clockOffset(readings: readonly ClockReading[]): ClockOffset | null {
  let best: ClockOffset | null = null;
  for (const { askedMs, repliedMs, thereMs } of readings) {
    const roundTripMs = repliedMs - askedMs;
    if (roundTripMs < 0 || (best !== null && roundTripMs >= best.roundTripMs)) continue;
    best = { aheadMs: thereMs - (askedMs + repliedMs) / 2, errorMs: roundTripMs / 2, roundTripMs };
  }
  return best;
}

/** Returns the name of a load generator for use in a sentence; `here` is this computer. */
function generatorName(name: string): string {
  return isHere(name) ? THIS_COMPUTER : name;
}

/** Lists load generators: "web1, web2 and this computer". */
export function joinGeneratorNames(names: readonly string[]): string {
  return joinNames(names.map(generatorName));
}

/** Returns whether this computer is one of the given load generators. If none are given, it is the only one. */
export function isLoadedHere(on: readonly string[] | null | undefined): boolean {
  return on == null || on.some(isHere);
}

/** Joins names: "a", "a and b", "a, b and c". */
export function joinNames(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Converts the name of a load generator in a result to its name in a plan. */
export function placeOf(name: string): string {
  return name === THIS_COMPUTER ? HERE : name;
}

/** Capitalizes words such as {@link joinGeneratorNames} at the start of a sentence. Names of hosts stay unchanged. */
export function capitalizeStart(words: string): string {
  return words.startsWith(THIS_COMPUTER) ? `T${words.slice(1)}` : words;
}

/** Distance of a host: this computer, a private network, or the internet, where anybody may own it. */
export const REACHES = ['loopback', 'private', 'public'] as const;
type Reach = (typeof REACHES)[number];

export function hasSecureTarget(plan: Pick<Plan, 'targets' | 'namedTargets'>): boolean {
  return listTargets(plan).some(({ url }) => new URL(url).protocol === 'https:');
}

/** Returns whether a host may belong to somebody else. */
export function isPublicHost(hostname: string): boolean {
  return hostReach(hostname) === 'public';
}

/**
 * Returns the distance of a host, which is given as `URL.hostname` writes it. A name without a dot may exist on the internet (http://ai/),
 * so it is public.
 */
export function hostReach(hostname: string): Reach {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return reachOfIpv6(host.slice(1, -1));
  const parts = host.split('.');
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part))) return reachOfIpv4(parts.map(Number));
  if (/(^|\.)localhost$/.test(host)) return 'loopback';
  return /\.(local|internal|home\.arpa|localdomain)$/.test(host) ? 'private' : 'public';
}

/**
 * Returns the addresses of a name below `localhost` (RFC 6761, 6.3); null for any other name. Name servers are not asked, because they
 * could return any address, while no consent is needed for a name that means this computer.
 */
export function loopbackAddresses(hostname: string): readonly string[] | null {
  return /\.localhost\.?$/i.test(hostname) ? ['127.0.0.1', '::1'] : null;
}

/** Returns the distance of an IPv4 address by RFC 1918, 1122 (loopback, this host), 3927 (link-local) and 6598 (shared by carriers). */
function reachOfIpv4(parts: readonly number[]): Reach {
  const [a = 0, b = 0] = parts;
  // Only 0.0.0.0 means this host. Linux sends packets for the rest of 0.0.0.0/8 as for any other network.
  if (a === 127 || parts.every((part) => part === 0)) return 'loopback';
  const isPrivate =
    a === 10 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127);
  return isPrivate ? 'private' : 'public';
}

/**
 * Returns the distance of an IPv6 address by RFC 4193 (unique local, fc00::/7), 4291 (loopback, link-local fe80::/10) and 4291 §2.5.5 (IPv4
 * inside IPv6).
 */
function reachOfIpv6(address: string): Reach {
  if (address === '::' || address === '::1') return 'loopback';
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(address);
  if (mapped) {
    const high = Number.parseInt(mapped[1] ?? '', 16);
    const low = Number.parseInt(mapped[2] ?? '', 16);
    return reachOfIpv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
  }
  const first = Number.parseInt(address.split(':')[0] ?? '', 16);
  return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80 ? 'private' : 'public';
}
