import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';
import { HoldfastError } from '#core/base/errors.ts';
import { certificatesIn, type ClientCertificate } from '#core/plan/certificates.ts';

/** How certificates are judged and what is shown to the server. Texts are PEM. */
export interface TlsSettings {
  /** false accepts any certificate: only by the person's express wish. */
  readonly verifies: boolean;
  /** Certificates trusted instead of those that Node comes with: a private authority. */
  readonly ca: readonly string[] | null;
  /** Name asked for and verified; null takes the target's host name. */
  readonly serverName: string | null;
  readonly clientCertificate: Readonly<ClientCertificate> | null;
}

export const DEFAULT_TLS: TlsSettings = { verifies: true, ca: null, serverName: null, clientCertificate: null };

/**
 * What a TLS connection needs beside its address. Made once: reading certificates takes milliseconds.
 * @throws {HoldfastError} `CERTIFICATE_UNREADABLE` for certificates or keys that cannot be used.
 */
export function secureContextOf(tls: TlsSettings): SecureContext {
  const { ca, clientCertificate: own } = tls;
  try {
    if (ca !== null) for (const text of ca) requireCertificates(text);
    return createSecureContext({
      ...(ca === null ? {} : { ca: [...ca] }),
      ...(own === null ? {} : { cert: own.certificate, key: own.key, ...(own.passphrase === null ? {} : { passphrase: own.passphrase }) }),
    });
  } catch (error) {
    throw unreadable(error instanceof Error ? error.message : String(error));
  }
}

/** The TLS library skips what it cannot read of an authority, and then trusts nobody without saying why. */
function requireCertificates(text: string): void {
  const blocks = certificatesIn(text);
  if (blocks.length === 0) throw new Error('it holds no certificate in PEM form');
  for (const block of blocks) parseCertificate(block);
}

/** @throws the error of the TLS library for a damaged one. */
function parseCertificate(text: string): X509Certificate {
  return new X509Certificate(text);
}

function unreadable(reason: string): HoldfastError {
  return new HoldfastError({
    code: 'CERTIFICATE_UNREADABLE',
    message: `A certificate or key of this plan cannot be used: ${reason}`,
    hint: 'Give the text of the PEM file: it begins with “-----BEGIN CERTIFICATE-----”. A key must belong to its certificate.',
  });
}
