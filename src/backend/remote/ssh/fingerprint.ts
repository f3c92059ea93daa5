import { createHash } from 'node:crypto';

/** As `ssh-keygen -l` prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replaceAll('=', '')}`;
}

/** The type that a public key in the wire format of SSH names at its beginning (RFC 4253, section 6.6); null for anything else. */
export function keyTypeOf(key: Buffer): string | null {
  if (key.length < 4) return null;
  const length = key.readUInt32BE(0);
  if (length < 1 || length > 64 || key.length < 4 + length) return null;
  const type = key.toString('latin1', 4, 4 + length);
  return /^[A-Za-z0-9@.-]+$/.test(type) ? type : null;
}
