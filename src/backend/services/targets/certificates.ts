import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Probe } from '#contract/replies.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { splitCertificates, type ClientCertificate, holdsPrivateKey, COPY_WHOLE_PEM_HINT } from '#core/plan/certificates.ts';
import type { ShownCertificate } from './singleRequest.ts';

/** Describes the server's certificate. `problem` says why a browser would refuse the certificate. */
export function describeCertificate(
  { certificate, refusedBecause }: ShownCertificate,
  hostname: string,
): NonNullable<Probe['certificate']> {
  const { subject, issuer, valid_to: validTo } = certificate;
  const until = validTo ? new Date(validTo) : null;
  return {
    valid: refusedBecause === null,
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    validUntil: until && !Number.isNaN(until.getTime()) ? until.toISOString() : '',
    problem: refusedBecause === null ? null : explainCode(refusedBecause, hostname, validTo),
  };
}

/** Returns a name as text. Each part of a name is a single value or a list. */
function nameOf(name: { CN?: string | string[]; O?: string | string[] } | undefined): string {
  return [name?.CN ?? name?.O ?? ''].flat().join(', ');
}

function explainCode(code: string, hostname: string, validTo: string | undefined): string {
  return certificateWords(code, hostname, validTo) ?? `The certificate is not trusted (${code}).`;
}

/** Explains an error code of the TLS library about a certificate; null for other codes. */
export function certificateWords(code: string, hostname: string, validTo?: string): string | null {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'The certificate is self-signed: no authority confirms it. Usual on a test server; browsers warn about it.';
    case 'CERT_HAS_EXPIRED':
      return `The certificate expired${validTo ? ` on ${validTo}` : ''}. Browsers refuse it until it is renewed.`;
    case 'CERT_NOT_YET_VALID':
      return 'The certificate is valid only from a later date. Check the clocks of this computer and of the server.';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate is for a different name than ${hostname}. Browsers refuse it.`;
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'The signer of the certificate is unknown here. Probably the server does not send its intermediate certificate.';
    default:
      return null;
  }
}

/**
 * Checks that a client certificate can be read and is valid at `nowMs`, and that its key can be read and belongs to it. Throws
 * `CLIENT_CERTIFICATE_UNUSABLE` with the reason, without secrets.
 */
export function requireUsable(own: ClientCertificate, nowMs: number): void {
  const chain = splitCertificates(own.certificate).map(readCertificate);
  const [leaf] = chain;
  if (leaf === undefined)
    throw certificateUnusable('It has no certificate.', 'Paste the text of the PEM file, from BEGIN to END CERTIFICATE.');
  const key = readKey(own);
  if (!leaf.checkPrivateKey(key)) {
    const other = chain.findIndex((certificate) => certificate.checkPrivateKey(key));
    throw other < 0
      ? certificateUnusable(
          `The key does not belong to the certificate of ${subjectText(leaf)}.`,
          'Use the key that the certificate was requested with. Probably two files were mixed up.',
        )
      : certificateUnusable(
          `The key belongs to certificate ${other + 1} of the text, not to the first one.`,
          'Put the certificate of the key first, then those of the authorities.',
        );
  }
  if (nowMs > leaf.validToDate.getTime())
    throw certificateUnusable(
      `The certificate of ${subjectText(leaf)} has expired on ${leaf.validTo}.`,
      'Servers refuse it. Get a new one.',
    );
  if (nowMs < leaf.validFromDate.getTime())
    throw certificateUnusable(
      `The certificate of ${subjectText(leaf)} is not valid before ${leaf.validFrom}.`,
      'Check the clock of this computer.',
    );
}

function readCertificate(pem: string, index: number): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw certificateUnusable(`Certificate ${index + 1} of the text is damaged.`, COPY_WHOLE_PEM_HINT);
  }
}

/** Reads a private key. The TLS library's messages are not passed on, because its input is secret. */
function readKey({ key, passphrase }: ClientCertificate): KeyObject {
  if (!holdsPrivateKey(key))
    throw certificateUnusable(
      'Its key is not a private key in PEM format.',
      'Such a file has a line -----BEGIN PRIVATE KEY-----. To convert one from DER: openssl pkey -inform der -in FILE -out key.pem',
    );
  try {
    return createPrivateKey({ key, format: 'pem', ...(passphrase === null ? {} : { passphrase }) });
  } catch {
    if (passphrase === null && holdsEncryptedKey(key))
      throw certificateUnusable(
        'Its key is encrypted, and the passphrase is missing.',
        'Add one to the plan (tls.clientCertificate.passphrase: {secret: ask:Passphrase}); on the command line: --key-passphrase ask:Passphrase.',
      );
    if (passphrase !== null && holdsEncryptedKey(key))
      throw certificateUnusable('The passphrase does not open its key.', 'Check the passphrase, and that it belongs to this key.');
    throw certificateUnusable('Its key is damaged, or of an unsupported type.', COPY_WHOLE_PEM_HINT);
  }
}

function holdsEncryptedKey(key: string): boolean {
  return key.includes('ENCRYPTED');
}

function subjectText({ subject, subjectAltName }: X509Certificate): string {
  return (subject || (subjectAltName ?? '')).replaceAll('\n', ', ') || 'nobody in particular';
}

function certificateUnusable(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'CLIENT_CERTIFICATE_UNUSABLE', message: `The client certificate cannot be used. ${message}`, hint });
}
