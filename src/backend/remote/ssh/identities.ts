import { readFileSync } from 'node:fs';
import ssh2 from 'ssh2';
import { isPrivate, rightsOf } from './ownFile.ts';

/** A private key in a file, or why it is not used. `isLocked`: a passphrase is needed before it can be. */
export type Identity =
  | { readonly kind: 'key'; readonly path: string; readonly text: Buffer; readonly isLocked: boolean }
  | { readonly kind: 'unusable'; readonly path: string; readonly reason: string };

/** Reads private keys; what cannot be used says why. */
export function readIdentities(paths: readonly string[], areNamed: boolean, userId: number | null): Identity[] {
  return [...new Set(paths)].flatMap((path) => {
    const identity = readIdentity(path, userId);
    // Of the usual places most are empty.
    return identity.kind === 'unusable' && identity.reason === ABSENT && !areNamed ? [] : [identity];
  });
}

const ABSENT = 'there is no such file';
const MOST_BYTES = 100_000;

function readIdentity(path: string, userId: number | null): Identity {
  try {
    const rights = rightsOf(path, userId);
    if (rights !== null && userId !== null && !isPrivate(rights, userId))
      return { kind: 'unusable', path, reason: `others may use its file, as OpenSSH refuses too (chmod 600 ${path})` };
    const text = readFileSync(path);
    if (text.length > MOST_BYTES) return { kind: 'unusable', path, reason: 'it is too long for a key' };
    const key = ssh2.utils.parseKey(text);
    if (!(key instanceof Error)) return { kind: 'key', path, text, isLocked: false };
    return /encrypted/i.test(key.message) ? { kind: 'key', path, text, isLocked: true } : { kind: 'unusable', path, reason: key.message };
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
    return { kind: 'unusable', path, reason: code === 'ENOENT' ? ABSENT : `it cannot be read (${code})` };
  }
}

/** False when the passphrase is not the key's. */
export function opens(text: Buffer, passphrase: string): boolean {
  return !(ssh2.utils.parseKey(text, passphrase) instanceof Error);
}
