import type { Probe } from '#contract/replies.ts';
import type { SeenCertificate } from './exchange.ts';

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
