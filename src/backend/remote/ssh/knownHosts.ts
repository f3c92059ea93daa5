import { createHmac, timingSafeEqual } from 'node:crypto';
import { getOwn } from '#core/base/ownMembers.ts';

/** A line of a known_hosts file (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT") and its location. */
export interface KnownHost {
  readonly marker: 'none' | 'revoked' | 'certAuthority';
  readonly hosts: string;
  readonly type: string;
  /** The key in Base64. */
  readonly key: string;
  readonly place: string;
}

/** `places`: the lines of known_hosts that decide the judgement. */
export type HostKeyJudgement =
  | { readonly kind: 'known' }
  | { readonly kind: 'revoked'; readonly places: readonly string[] }
  | { readonly kind: 'changed'; readonly places: readonly string[]; readonly knownTypes: readonly string[] }
  /** `hasAuthority`: a certificate authority is listed for this host, but host certificates are not supported. */
  | { readonly kind: 'unknown'; readonly hasAuthority: boolean };

const MARKERS: Readonly<Record<string, KnownHost['marker']>> = { '@revoked': 'revoked', '@cert-authority': 'certAuthority' };

/** Returns the entries of a known_hosts file. Skips invalid lines as OpenSSH does, including lines with an unknown marker. */
export function parseKnownHosts(text: string, file: string): KnownHost[] {
  return text.split('\n').flatMap((line, index) => {
    const words = line.trim().split(/\s+/);
    const first = words[0] ?? '';
    if (first === '' || first.startsWith('#')) return [];
    const marker = first.startsWith('@') ? getOwn(MARKERS, first) : 'none';
    const [hosts, type, key] = first.startsWith('@') ? words.slice(1) : words;
    if (marker === undefined || hosts === undefined || type === undefined || key === undefined) return [];
    return [{ marker, hosts, type, key, place: `${file}:${index + 1}` }];
  });
}

/** Returns the host name in known_hosts format, with its port unless the port is 22. */
export function knownName(host: string, port: number): string {
  const name = host.toLowerCase();
  return port === 22 ? name : `[${name}]:${port}`;
}

/** Judges the key that a host presents. `name` is in the format of {@link knownName}. */
export function judgeHostKey(lines: readonly KnownHost[], name: string, offered: { type: string; key: string }): HostKeyJudgement {
  const ourLines = lines.filter(({ hosts }) => matchesHost(hosts, name));
  const isOfferedKey = ({ key }: KnownHost): boolean => key === offered.key;
  const revoked = ourLines.filter((line) => line.marker === 'revoked' && isOfferedKey(line));
  if (revoked.length > 0) return { kind: 'revoked', places: revoked.map(({ place }) => place) };
  const plain = ourLines.filter(({ marker }) => marker === 'none');
  if (plain.some(isOfferedKey)) return { kind: 'known' };
  // A key of another type counts as changed too, because the host was asked for the known types first and presented none of them.
  if (plain.length > 0)
    return { kind: 'changed', places: plain.map(({ place }) => place), knownTypes: [...new Set(plain.map(({ type }) => type))] };
  return { kind: 'unknown', hasAuthority: ourLines.some(({ marker }) => marker === 'certAuthority') };
}

/** Returns the types of the known keys of a host, which are requested first. */
export function knownTypes(lines: readonly KnownHost[], name: string): string[] {
  const types = lines.filter(({ marker, hosts }) => marker === 'none' && matchesHost(hosts, name)).map(({ type }) => type);
  return [...new Set(types)];
}

/**
 * Returns whether the first field of a line matches the host: a hash of its name, or patterns separated by commas. A pattern with !
 * excludes the host.
 */
export function matchesHost(field: string, name: string): boolean {
  if (field.startsWith('|')) return matchesHash(field, name);
  const patterns = field.toLowerCase().split(',');
  if (patterns.some((pattern) => pattern.startsWith('!') && matchesPattern(pattern.slice(1), name))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && matchesPattern(pattern, name));
}

/** Returns whether a hashed host field matches the name. Format: `|1|salt|HMAC-SHA1(salt, name)`, with salt and hash in Base64. */
function matchesHash(field: string, name: string): boolean {
  const [, version, salt, hash] = field.split('|');
  if (version !== '1' || salt === undefined || hash === undefined) return false;
  const wanted = Buffer.from(hash, 'base64');
  const found = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}

/** Matches * and ? in one pass that backtracks only to the last *, so that no pattern takes exponential time. */
function matchesPattern(pattern: string, name: string): boolean {
  let [at, inName, star, starName] = [0, 0, -1, 0];
  while (inName < name.length) {
    if (pattern[at] === '*') [star, starName, at] = [at, inName, at + 1];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[inName])) [at, inName] = [at + 1, inName + 1];
    else if (star >= 0) [at, starName, inName] = [star + 1, starName + 1, starName + 1];
    else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
