import { renameSync, writeFileSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import type { HopSettings } from './hostSettings.ts';
import { judgeHostKey, type KnownHost, knownName, knownTypes, parseKnownHosts } from './knownHosts.ts';
import { textOf } from './configFile.ts';
import { plainText } from './problems.ts';
import type { SshSurroundings } from './surroundings.ts';

/** Returns the fingerprint in the format of `ssh-keygen -l`. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;
}

/** Returns the type at the beginning of a public key in SSH wire format (RFC 4253, section 6.6), or null. */
function findKeyType(key: Buffer): string | null {
  if (key.length < 4) return null;
  const length = key.readUInt32BE(0);
  if (length < 1 || length > 64 || key.length < 4 + length) return null;
  const type = key.toString('latin1', 4, 4 + length);
  return /^[A-Za-z0-9@.-]+$/.test(type) ? type : null;
}

/** A host key that the user has not confirmed yet. `key` is in Base64. */
export const shownKeySchema = z.object({ name: z.string(), type: z.string(), key: z.string(), fingerprint: z.string() });
export type ShownKey = z.infer<typeof shownKeySchema>;

/** Accepted signature algorithms by key type. SHA-1 is excluded. */
const ALGORITHMS = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
} as const;
const TYPES = Object.keys(ALGORITHMS) as (keyof typeof ALGORITHMS)[];

export class HostKeys {
  private readonly lines: readonly KnownHost[];
  private readonly name: string;
  private readonly label: string;

  constructor({ label, keyName, port, knownHostsFiles }: HopSettings, { ownKnownHosts, systemKnownHosts }: SshSurroundings) {
    this.label = label;
    this.name = knownName(keyName, port);
    this.lines = [...knownHostsFiles, systemKnownHosts, ownKnownHosts].flatMap((file) => linesOf(file));
  }

  /** Algorithms in order of preference. Those of known keys come first, so that a host with several keys presents a known one. */
  get algorithms(): (typeof ALGORITHMS)[keyof typeof ALGORITHMS][number][] {
    const knownNames = knownTypes(this.lines, this.name);
    return [...TYPES].sort((a, b) => Number(knownNames.includes(b)) - Number(knownNames.includes(a))).flatMap((type) => ALGORITHMS[type]);
  }

  /** Throws `HOST_KEY_UNKNOWN` (its data is the {@link ShownKey}), `HOST_KEY_CHANGED`, `HOST_KEY_REVOKED` or `HOST_KEY_UNREADABLE`. */
  require(key: Buffer): void {
    const type = findKeyType(key);
    if (type === null) throw unreadable(this.label);
    const shownKey = { name: this.name, type, key: key.toString('base64'), fingerprint: fingerprintOf(key) };
    const judgement = judgeHostKey(this.lines, this.name, shownKey);
    switch (judgement.kind) {
      case 'known':
        return;
      case 'unknown':
        throw unknown(this.label, shownKey, judgement.hasAuthority);
      case 'changed':
        throw changed(this.label, shownKey, judgement.places, judgement.knownTypes);
      case 'revoked':
        throw revoked(this.label, shownKey, judgement.places);
      default:
        judgement satisfies never;
    }
  }
}

function linesOf(file: string): KnownHost[] {
  try {
    return parseKnownHosts(textOf(file) ?? '', file);
  } catch (cause) {
    // The key is refused, because an unreadable file may contain its revocation.
    throw new HoldfastError(
      {
        code: 'KNOWN_HOSTS',
        message: `The list of known hosts ${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
        hint: 'Make it readable for you. Without it, Holdfast cannot verify a host.',
      },
      { cause },
    );
  }
}

/** Adds a key to Holdfast's own list, not to OpenSSH's. Throws `KNOWN_HOSTS`. */
export function trustKey({ name, type, key }: ShownKey, { ownKnownHosts }: SshSurroundings): void {
  try {
    const before = textOf(ownKnownHosts) ?? '';
    const line = `${name} ${type} ${key}\n`;
    const temporary = `${ownKnownHosts}.${randomBytes(6).toString('hex')}`;
    writeFileSync(temporary, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${line}`, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, ownKnownHosts);
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'KNOWN_HOSTS',
        message: `The key cannot be saved in ${ownKnownHosts}: ${cause instanceof Error ? cause.message : String(cause)}.`,
        hint: 'Check that the disk has room. Nothing was changed.',
      },
      { cause },
    );
  }
}

function unknown(label: string, shownKey: ShownKey, hasAuthority: boolean): HoldfastError {
  const authority = hasAuthority ? ' Its authority in known_hosts does not help: Holdfast does not read host certificates.' : '';
  return new HoldfastError({
    code: 'HOST_KEY_UNKNOWN',
    message: `${label} (${shownKey.name}) is unknown. It shows a key of type ${shownKey.type} with the fingerprint ${shownKey.fingerprint}.${authority}`,
    hint: 'Compare the fingerprint with the one its owner gives (on the host: ssh-keygen -l -f /etc/ssh/ssh_host_ed25519_key.pub). Trust it only if they match.',
    data: { ...shownKey, label },
  });
}

function changed(label: string, shownKey: ShownKey, places: readonly string[], types: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'HOST_KEY_CHANGED',
    message: `${label} (${shownKey.name}) shows a different key from the known one (${types.map((type) => plainText(type, 40)).join(', ')}). Nothing was sent to it.`,
    hint: `Either the host was reinstalled, or somebody intercepts the connection. Ask its owner for the fingerprint; it now shows ${shownKey.fingerprint} (${shownKey.type}). If they match, delete the old key: ${places.join(', ')}`,
    data: { fingerprint: shownKey.fingerprint, places },
  });
}

function revoked(label: string, shownKey: ShownKey, places: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'HOST_KEY_REVOKED',
    message: `${label} (${shownKey.name}) shows a revoked key (${shownKey.fingerprint}). Nothing was sent to it.`,
    hint: `The key is marked as stolen or unsafe: ${places.join(', ')}. The host needs a new key.`,
    data: { fingerprint: shownKey.fingerprint, places },
  });
}

function unreadable(label: string): HoldfastError {
  return new HoldfastError({
    code: 'HOST_KEY_UNREADABLE',
    message: `${label} shows an invalid host key.`,
    hint: 'Probably it is not an SSH server, or a broken one.',
  });
}
