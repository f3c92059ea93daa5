import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { TLSSocket } from 'node:tls';

/** The label of the TLS channel binding “tls-exporter” (RFC 9266). */
const EXPORTER = 'EXPORTER-Channel-Binding';
const BINDING_BYTES = 32;

export type PairingSide = 'inviter' | 'invited';

/**
 * Returns the proof in base64url that one side of a TLS connection knows the code: HMAC-SHA-256 over its side and the channel binding. A
 * proof is invalid on any other connection, so a program in between cannot pass it on.
 */
export function pairingProof(socket: TLSSocket, code: string, side: PairingSide): string {
  const binding = socket.exportKeyingMaterial(BINDING_BYTES, EXPORTER, Buffer.alloc(0));
  return createHmac('sha256', code).update(`holdfast pairing 1 ${side}\n`).update(binding).digest('base64url');
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return first !== undefined && second !== undefined && timingSafeEqual(first, second);
}

/** Returns the SHA-256 fingerprint of a certificate in DER, in base64url. */
export function certificateFingerprint(certificate: Uint8Array): string {
  return createHash('sha256').update(certificate).digest('base64url');
}
