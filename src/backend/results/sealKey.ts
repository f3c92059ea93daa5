import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import { toProquints } from '#core/base/proquint.ts';
import { OWNER_ONLY } from '../dataDirectory.ts';

/** Prefix of an Ed25519 public key in the form that `createPublicKey` reads (RFC 8410). */
const PUBLIC_KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
/** 96 bits, which are enough that nobody can find another key with the same words. */
const FINGERPRINT_BYTES = 12;

/** The Ed25519 key of this installation. */
export interface SealKey {
  /** The public key, 32 bytes in hexadecimal. */
  readonly publicHex: string;
  /** Returns the signature, 64 bytes. */
  sign(message: Uint8Array): Buffer;
}

/** Returns the key in the data directory. Creates a missing key, readable only by its owner. Throws `SEAL_KEY_UNUSABLE`. */
export function openSealKey(dataDirectory: string): SealKey {
  const file = join(dataDirectory, 'seal.key');
  const text = readText(file) ?? createKey(file);
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`It is a key of the type ${key.asymmetricKeyType}.`);
    const publicHex = createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(PUBLIC_KEY_PREFIX.length).toString('hex');
    return { publicHex, sign: (message) => sign(null, message, key) };
  } catch (thrown) {
    throw new HoldfastError(
      {
        code: 'SEAL_KEY_UNUSABLE',
        message: `The key ${file} cannot be used.`,
        hint: 'Restore it from a backup, or delete it: Holdfast then creates another one, and later files have other words.',
      },
      { cause: thrown },
    );
  }
}

/** Returns the public key of this installation in hexadecimal, or null if it has none. Creates none. */
export function readPublicKey(dataDirectory: string): string | null {
  return readText(join(dataDirectory, 'seal.key')) === null ? null : openSealKey(dataDirectory).publicHex;
}

/** Returns a public key in the form that `node:crypto` verifies with. */
export function toPublicKey(publicHex: string): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_KEY_PREFIX, Buffer.from(publicHex, 'hex')]), format: 'der', type: 'spki' });
}

/** Returns the fingerprint of a public key: six words of SHA-256. */
export function fingerprintWords(publicHex: string): string {
  return toProquints(createHash('sha256').update(publicHex, 'hex').digest().subarray(0, FINGERPRINT_BYTES));
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  }
}

/** Creates the key. The file gets its name only once it is complete. A key that another process has created in the meantime is used. */
function createKey(file: string): string {
  const text = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text, { mode: OWNER_ONLY.file, flag: 'wx', flush: true });
  try {
    linkSync(temporary, file);
    return text;
  } catch {
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(temporary);
  }
}
