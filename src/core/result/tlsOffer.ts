import { z } from 'zod';
import { formatCount } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunEvent } from './schema.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** TLS parameters on which a server agreed with a client that offers what browsers offer. */
export const tlsOfferSchema = z.strictObject({
  /** Origin of the target: `https://example.org`. */
  origin: z.string(),
  /** Protocol that ALPN selected from HTTP/2 and HTTP/1.1; null if there is no selection, which means HTTP/1.1. */
  protocol: z.enum(['h2', 'http/1.1']).nullable(),
  /** TLS version as OpenSSL names it: `TLSv1.3`. */
  version: z.string(),
  /** Name of the cipher suite in the IANA registry. */
  cipher: z.string(),
  /** Whether a second connection could resume the session of the first. */
  resumes: z.boolean(),
  /** Key with which the server signs a full handshake: `rsa`, `ec`, `ed25519`. `bits` is set if keys of this kind have several sizes. */
  key: z.strictObject({ kind: z.string(), bits: z.int().nullable() }).nullable(),
});
export type TlsOffer = z.infer<typeof tlsOfferSchema>;

export const TLS_OFFER_EVENT = 'tlsOffer';

/** Returns the TLS offers among the events. Other data are ignored. */
export function listTlsOffers(events: readonly RunEvent[]): TlsOffer[] {
  return events.flatMap(({ kind, data }) => (kind === TLS_OFFER_EVENT ? (tlsOfferSchema.safeParse(data).data ?? []) : []));
}

/** Returns text such as "TLS 1.3 (TLS_AES_128_GCM_SHA256), RSA key of 2,048 bits, resumes sessions". */
export function formatTls({ version, cipher, resumes, key }: TlsOffer): string {
  const about = [`${version.replace(/^TLSv/, 'TLS ')} (${cipher})`];
  if (key !== null) about.push(`${KEY_NAMES.get(key.kind) ?? key.kind} key${key.bits === null ? '' : ` of ${formatCount(key.bits)} bits`}`);
  return [...about, resumes ? 'resumes sessions' : 'does not resume sessions'].join(', ');
}

const KEY_NAMES: ReadonlyMap<string, string> = new Map([
  ['rsa', 'RSA'],
  ['rsa-pss', 'RSA'],
  ['ec', 'ECDSA'],
  ['ed25519', 'Ed25519'],
]);

/** Maximum size in bits of an RSA key whose signatures do not dominate the server's cost of a handshake. */
const MAX_CHEAP_RSA_BITS = 3_072;

/** Returns whether each full handshake costs the server far more than necessary. */
export function hasCostlyKey({ key }: TlsOffer): boolean {
  return key !== null && key.kind.startsWith('rsa') && (key.bits ?? 0) > MAX_CHEAP_RSA_BITS;
}

/**
 * Lists, as parts of a sentence, the protocols and kinds of TLS handshake that clients of these servers use but the run did not.
 */
export function listDifferencesFromBrowsers(
  offers: readonly TlsOffer[],
  { connections, tls }: Pick<Plan, 'connections' | 'tls'>,
): string[] {
  return withoutAbsent([
    connections.protocol !== 'h2' &&
      offers.some(({ protocol }) => protocol === 'h2') &&
      'HTTP/2, which browsers use here (the test used HTTP/1.1)',
    connections.protocol === 'h2' && offers.some(({ protocol }) => protocol === 'h2') && 'HTTP/1.1, which browsers do not use here',
    (tls.resume ?? 0) === 0 &&
      offers.some(({ resumes }) => resumes) &&
      'resumed TLS sessions of returning visitors (every connection made a full handshake)',
    tls.resume === 1 &&
      offers.some(({ resumes }) => resumes) &&
      'full TLS handshakes of new visitors (every connection that could resumed a session)',
  ]);
}
