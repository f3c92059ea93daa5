import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { certificateFingerprint } from '#engine/pairingProof.ts';

/** A self-signed certificate with its key, in PEM, and its SHA-256 fingerprint in base64url. */
export interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
  readonly fingerprint: string;
}

const TAG = { integer: 0x02, bits: 0x03, oid: 0x06, utf8: 0x0c, sequence: 0x30, set: 0x31, generalizedTime: 0x18, version: 0xa0 } as const;
/** The object identifiers 1.2.840.10045.4.3.2 (ecdsa-with-SHA256) and 2.5.4.3 (commonName). */
const ECDSA_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');
const SERIAL_BYTES = 16;
/** Tolerance for a clock of the other computer that is wrong. The fingerprint decides, not the time. */
const VALID_MS = 86_400_000;

/** Creates a certificate (X.509, RFC 5280) on the curve P-256 that nobody has seen before. */
export function createOwnCertificate(nowMs: number): OwnCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(TAG.sequence, der(TAG.oid, ECDSA_SHA256));
  const name = der(TAG.sequence, der(TAG.set, der(TAG.sequence, der(TAG.oid, COMMON_NAME), der(TAG.utf8, Buffer.from('Holdfast')))));
  // The first byte keeps the number positive and of this length.
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(SERIAL_BYTES - 1)]);
  const toSign = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, serial),
    algorithm,
    name,
    der(TAG.sequence, time(nowMs - VALID_MS), time(nowMs + VALID_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const certificate = der(TAG.sequence, toSign, algorithm, der(TAG.bits, Buffer.from([0]), sign('sha256', toSign, privateKey)));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    fingerprint: certificateFingerprint(certificate),
  };
}

function time(ms: number): Buffer {
  return der(TAG.generalizedTime, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(0, 14)}Z`));
}

/** Encodes a value with its tag and its length (X.690, 8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const hex = content.length.toString(16);
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}
