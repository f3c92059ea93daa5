import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { hasCostlyKey, TLS_OFFER_EVENT, type TlsOffer, tlsOffersIn, tlsWords, unlikeVisitors } from './tlsOffer.ts';

const offer = (changes: Partial<TlsOffer> = {}): TlsOffer => ({
  origin: 'https://shop.test',
  protocol: 'http/1.1',
  version: 'TLSv1.3',
  cipher: 'TLS_AES_128_GCM_SHA256',
  resumes: false,
  key: { kind: 'ec', bits: null },
  ...changes,
});

describe('what a server offers browsers', () => {
  it('is read from the events of a run, and from nothing of another form', () => {
    const event = { second: 0, kind: TLS_OFFER_EVENT, text: '', data: offer() };
    expect(tlsOffersIn([event, { ...event, kind: 'path' }, { ...event, data: { origin: 'https://shop.test' } }])).toEqual([offer()]);
  });

  it('is said in words', () => {
    expect(tlsWords(offer())).toBe('TLS 1.3 (TLS_AES_128_GCM_SHA256), ECDSA key, does not resume sessions');
    expect(tlsWords(offer({ version: 'TLSv1.2', resumes: true, key: { kind: 'rsa', bits: 4_096 } }))).toBe(
      'TLS 1.2 (TLS_AES_128_GCM_SHA256), RSA key of 4,096 bits, resumes sessions',
    );
    expect(tlsWords(offer({ key: null }))).toBe('TLS 1.3 (TLS_AES_128_GCM_SHA256), does not resume sessions');
  });

  it('costs more than it has to with a large RSA key only', () => {
    expect(hasCostlyKey(offer({ key: { kind: 'rsa', bits: 4_096 } }))).toBe(true);
    expect(hasCostlyKey(offer({ key: { kind: 'rsa', bits: 3_072 } }))).toBe(false);
    expect(hasCostlyKey(offer({ key: { kind: 'ec', bits: null } }))).toBe(false);
    expect(hasCostlyKey(offer({ key: null }))).toBe(false);
  });
});

const plain = planWith({});
const asVisitors = planWith({ connections: { protocol: 'h2' }, tls: { resume: 0.5 } });

describe('what visitors do otherwise than a run', () => {
  it('is nothing at a server that offers no more than the run uses', () => {
    expect(unlikeVisitors([], plain)).toEqual([]);
    expect(unlikeVisitors([offer(), offer({ protocol: null })], plain)).toEqual([]);
    expect(unlikeVisitors([offer({ resumes: true })], asVisitors)).toEqual([]);
  });

  it('is HTTP/2 and resumption, each once, where any of the servers has it', () => {
    expect(unlikeVisitors([offer(), offer({ protocol: 'h2' }), offer({ protocol: 'h2', resumes: true })], plain)).toEqual([
      'HTTP/2, which browsers use here (the test used HTTP/1.1)',
      'resumed TLS sessions of returning visitors (every connection made a full handshake)',
    ]);
  });

  it('is what the other kinds of clients do, where all connections were of one kind', () => {
    const returning = planWith({ connections: { protocol: 'h2' }, tls: { resume: 1 } });
    expect(unlikeVisitors([offer({ protocol: 'h2', resumes: true })], returning)).toEqual([
      'HTTP/1.1, which browsers do not use here',
      'full TLS handshakes of new visitors (every connection that could resumed a session)',
    ]);
  });
});
