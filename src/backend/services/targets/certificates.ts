import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { Probe } from '#contract/replies.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { certificatesIn, type ClientCertificate, holdsPrivateKey, COPY_WHOLE_PEM } from '#core/plan/certificates.ts';
import type { SeenCertificate } from './singleRequest.ts';

/** The server's certificate in words. `problem` says why a browser would refuse it. */
export function describeCertificate({ certificate, refusedBecause }: SeenCertificate, hostname: string): NonNullable<Probe['certificate']> {
  const { subject, issuer, valid_to: validTo } = certificate;
  const until = validTo ? new Date(validTo) : null;
  return {
    valid: refusedBecause === null,
    subject: nameOf(subject),
    issuer: nameOf(issuer),
    validUntil: until && !Number.isNaN(until.getTime()) ? until.toISOString() : '',
    problem: refusedBecause === null ? null : explain(refusedBecause, hostname, validTo),
  };
}

/** Names hold one value or several of a kind. */
function nameOf(name: { CN?: string | string[]; O?: string | string[] } | undefined): string {
  return [name?.CN ?? name?.O ?? ''].flat().join(', ');
}

function explain(code: string, hostname: string, validTo: string | undefined): string {
  return certificateWords(code, hostname, validTo) ?? `The certificate is not trusted (${code}).`;
}

/** Why a certificate is refused, by the code of the TLS library; null for a code that is about something else. */
export function certificateWords(code: string, hostname: string, validTo?: string): string | null {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'The server signed its certificate itself, so nobody vouches for it. Usual on a test server; browsers warn of it.';
    case 'CERT_HAS_EXPIRED':
      return `The certificate expired${validTo ? ` on ${validTo}` : ''}. Browsers refuse it until it is renewed.`;
    case 'CERT_NOT_YET_VALID':
      return 'The certificate is not valid yet. Is the clock of this computer or of the server wrong?';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `The certificate was made for another name than ${hostname}. Browsers refuse it.`;
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'Who signed the certificate is not known here: often the server does not send its intermediate certificate.';
    default:
      return null;
  }
}

/**
 * Whether a server can be shown this certificate: it can be read and is valid at `nowMs`, its key can be read and belongs to it.
 * @throws {HoldfastError} `CLIENT_CERTIFICATE_UNUSABLE` that says what is wrong and never repeats a secret.
 */
export function requireUsable(own: ClientCertificate, nowMs: number): void {
  const chain = certificatesIn(own.certificate).map(readCertificate);
  const [leaf] = chain;
  if (leaf === undefined) throw unusable('There is no certificate in it.', 'Give the text of the PEM file, from BEGIN to END CERTIFICATE.');
  const key = readKey(own);
  if (!leaf.checkPrivateKey(key)) {
    const other = chain.findIndex((certificate) => certificate.checkPrivateKey(key));
    throw other < 0
      ? unusable(
          `The key does not belong to the certificate of ${subjectOf(leaf)}.`,
          'Give the key that the certificate was requested with. Were two files mixed up?',
        )
      : unusable(
          `The key belongs to certificate ${other + 1} of the text, not to the first one.`,
          'Put the certificate that the key belongs to first, and those of the authorities behind it.',
        );
  }
  if (nowMs > leaf.validToDate.getTime())
    throw unusable(`The certificate of ${subjectOf(leaf)} has expired on ${leaf.validTo}.`, 'Servers refuse it: get a new one.');
  if (nowMs < leaf.validFromDate.getTime())
    throw unusable(`The certificate of ${subjectOf(leaf)} is not valid before ${leaf.validFrom}.`, 'Is the clock of this computer wrong?');
}

function readCertificate(pem: string, index: number): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw unusable(`Certificate ${index + 1} of the text is damaged.`, COPY_WHOLE_PEM);
  }
}

/** The messages of the library are not passed on: what it was given is a secret. */
function readKey({ key, passphrase }: ClientCertificate): KeyObject {
  if (!holdsPrivateKey(key))
    throw unusable(
      'Its key is no private key in PEM form.',
      'Such a file holds a line -----BEGIN PRIVATE KEY-----. One in DER form becomes one with: openssl pkey -inform der -in FILE -out key.pem',
    );
  try {
    return createPrivateKey({ key, format: 'pem', ...(passphrase === null ? {} : { passphrase }) });
  } catch {
    if (passphrase === null && holdsEncryptedKey(key))
      throw unusable(
        'Its key is encrypted, and no passphrase is given.',
        'Add one to the plan (tls.clientCertificate.passphrase: {secret: ask:Passphrase}); on the command line: --key-passphrase ask:Passphrase.',
      );
    if (passphrase !== null && holdsEncryptedKey(key))
      throw unusable('The passphrase does not open its key.', 'Check the passphrase, and that it is the one of this key.');
    throw unusable('Its key is damaged, or of a kind that cannot be used.', COPY_WHOLE_PEM);
  }
}

function holdsEncryptedKey(key: string): boolean {
  return key.includes('ENCRYPTED');
}

function subjectOf({ subject, subjectAltName }: X509Certificate): string {
  return (subject || (subjectAltName ?? '')).replaceAll('\n', ', ') || 'nobody in particular';
}

function unusable(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'CLIENT_CERTIFICATE_UNUSABLE', message: `The client certificate cannot be used. ${message}`, hint });
}
