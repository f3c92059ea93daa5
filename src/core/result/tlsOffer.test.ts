import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { hasCostlyKey, TLS_OFFER_EVENT, type TlsOffer, listTlsOffers, formatTls, listDifferencesFromBrowsers } from './tlsOffer.ts';

const offer = (changes: Partial<TlsOffer> = {}): TlsOffer => ({
  origin: 'https://shop.test',
  protocol: 'http/1.1',
  version: 'TLSv1.3',
  cipher: 'TLS_AES_128_GCM_SHA256',
  resumes: false,
  key: { kind: 'ec', bits: null },
  ...changes,
});

describe('TLS offer of a server', () => {
  it('is read from the events of a run, where other data is ignored', () => {
    const event = { second: 0, kind: TLS_OFFER_EVENT, text: '', data: offer() };
    expect(listTlsOffers([event, { ...event, kind: 'path' }, { ...event, data: { origin: 'https://shop.test' } }])).toEqual([offer()]);
  });

  it('is described in words', () => {
    expect(formatTls(offer())).toBe('TLS 1.3 (TLS_AES_128_GCM_SHA256), ECDSA key, does not resume sessions');
    expect(formatTls(offer({ version: 'TLSv1.2', resumes: true, key: { kind: 'rsa', bits: 4_096 } }))).toBe(
      'TLS 1.2 (TLS_AES_128_GCM_SHA256), RSA key of 4,096 bits, resumes sessions',
    );
    expect(formatTls(offer({ key: null }))).toBe('TLS 1.3 (TLS_AES_128_GCM_SHA256), does not resume sessions');
  });

  it('is costly only with a large RSA key', () => {
    expect(hasCostlyKey(offer({ key: { kind: 'rsa', bits: 4_096 } }))).toBe(true);
    expect(hasCostlyKey(offer({ key: { kind: 'rsa', bits: 3_072 } }))).toBe(false);
    expect(hasCostlyKey(offer({ key: { kind: 'ec', bits: null } }))).toBe(false);
    expect(hasCostlyKey(offer({ key: null }))).toBe(false);
  });
});

const plain = planWith({});
const asVisitors = planWith({ connections: { protocol: 'h2' }, tls: { resume: 0.5 } });

describe('listDifferencesFromBrowsers', () => {
  it('returns nothing if the server offers no more than the run uses', () => {
    expect(listDifferencesFromBrowsers([], plain)).toEqual([]);
    expect(listDifferencesFromBrowsers([offer(), offer({ protocol: null })], plain)).toEqual([]);
    expect(listDifferencesFromBrowsers([offer({ resumes: true })], asVisitors)).toEqual([]);
  });

  it('lists HTTP/2 and resumption once, if any server offers them', () => {
    expect(listDifferencesFromBrowsers([offer(), offer({ protocol: 'h2' }), offer({ protocol: 'h2', resumes: true })], plain)).toEqual([
      'HTTP/2, which browsers use here (the test used HTTP/1.1)',
      'resumed TLS sessions of returning visitors (every connection made a full handshake)',
    ]);
  });

  it('lists HTTP/1.1 and full handshakes if all connections used HTTP/2 and resumed a session', () => {
    const returning = planWith({ connections: { protocol: 'h2' }, tls: { resume: 1 } });
    expect(listDifferencesFromBrowsers([offer({ protocol: 'h2', resumes: true })], returning)).toEqual([
      'HTTP/1.1, which browsers do not use here',
      'full TLS handshakes of new visitors (every connection that could resumed a session)',
    ]);
  });
});
