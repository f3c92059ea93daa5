import { z } from 'zod';
import { formatCount } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunEvent } from './schema.ts';

/** What an https server agreed to with a client that offers what browsers offer. */
export const tlsOfferSchema = z.strictObject({
  /** Origin of the target: `https://example.org`. */
  origin: z.string(),
  /** Chosen by ALPN out of HTTP/2 and HTTP/1.1; null where the server chose nothing, which means HTTP/1.1. */
  protocol: z.enum(['h2', 'http/1.1']).nullable(),
  /** As OpenSSL names it: `TLSv1.3`. */
  version: z.string(),
  /** By its name in the IANA registry. */
  cipher: z.string(),
  /** Whether a second connection could take up the session of the first. */
  resumes: z.boolean(),
  /** The key that the server signs a full handshake with: `rsa`, `ec`, `ed25519`; bits where its kind has several sizes. */
  key: z.strictObject({ kind: z.string(), bits: z.int().nullable() }).nullable(),
});
export type TlsOffer = z.infer<typeof tlsOfferSchema>;

/** Kind of the event by which a run tells what its target offers browsers. */
export const TLS_OFFER_EVENT = 'tlsOffer';

/** All offers that events tell of; those of another form are left out. */
export function tlsOffersIn(events: readonly RunEvent[]): TlsOffer[] {
  return events.flatMap(({ kind, data }) => (kind === TLS_OFFER_EVENT ? (tlsOfferSchema.safeParse(data).data ?? []) : []));
}

/** "TLS 1.3 (TLS_AES_128_GCM_SHA256), RSA key of 2,048 bits, resumes sessions". */
export function tlsWords({ version, cipher, resumes, key }: TlsOffer): string {
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

/** From these bits on an RSA signature is most of what a handshake costs the server. */
const LARGE_RSA_BITS = 3_072;

/** Whether each full handshake costs the server far more than it has to. */
export function hasCostlyKey({ key }: TlsOffer): boolean {
  return key !== null && key.kind.startsWith('rsa') && (key.bits ?? 0) > LARGE_RSA_BITS;
}

/** What clients do at these servers that a run over one protocol, with handshakes of one kind, did not. Parts of a sentence. */
export function unlikeVisitors(offers: readonly TlsOffer[], { connections, tls }: Pick<Plan, 'connections' | 'tls'>): string[] {
  return [
    ...(connections.protocol !== 'h2' && offers.some(({ protocol }) => protocol === 'h2')
      ? ['HTTP/2, which browsers use here (the test used HTTP/1.1)']
      : []),
    ...(connections.protocol === 'h2' && offers.some(({ protocol }) => protocol === 'h2')
      ? ['HTTP/1.1, which browsers do not use here']
      : []),
    ...((tls.resume ?? 0) === 0 && offers.some(({ resumes }) => resumes)
      ? ['resumed TLS sessions of returning visitors (every connection made a full handshake)']
      : []),
    ...(tls.resume === 1 && offers.some(({ resumes }) => resumes)
      ? ['full TLS handshakes of new visitors (every connection that could resumed a session)']
      : []),
  ];
}
