import { describe, expect, it } from 'vitest';
import type { TlsOffer } from '#core/result/tlsOffer.ts';
import { planFor } from '#backend/testing/plans.ts';
import { makePlanFacts } from './check.ts';
import { targetProtocol } from './targetChecks.ts';

const facts = makePlanFacts(planFor('https://shop.test/'));
const offer = (changes: Partial<TlsOffer> = {}): TlsOffer => ({
  origin: 'https://shop.test',
  protocol: 'http/1.1',
  version: 'TLSv1.3',
  cipher: 'TLS_AES_128_GCM_SHA256',
  resumes: true,
  key: { kind: 'ec', bits: null },
  ...changes,
});

describe('targetProtocol', () => {
  it('is ok if browsers would use the protocol of the test', () => {
    expect(targetProtocol.judge([offer()], facts)).toEqual({
      level: 'ok',
      title: 'Browsers use HTTP/1.1 here, and so does the test',
      evidence: 'shop.test: TLS 1.3 (TLS_AES_128_GCM_SHA256), ECDSA key, resumes sessions.',
      matters: '',
      remedy: null,
    });
  });

  it('reports that browsers would use HTTP/2, and what follows from that', () => {
    const found = targetProtocol.judge([offer(), offer({ protocol: 'h2' })], facts);
    expect(found).toMatchObject({ level: 'info', title: 'Browsers use HTTP/2 here; the test uses HTTP/1.1', remedy: null });
    expect(found.matters).toContain('one HTTP/2 connection');
  });

  it('is ok if the plan uses HTTP/2 like browsers, and a problem if the target lacks it', () => {
    const modern = makePlanFacts(planFor('https://shop.test/', { connections: { protocol: 'h2' } }));
    expect(targetProtocol.judge([offer({ protocol: 'h2' })], modern)).toMatchObject({
      level: 'ok',
      title: 'Browsers use HTTP/2 here, and so does the test',
    });
    expect(targetProtocol.judge([offer({ protocol: 'h2' }), offer()], modern)).toMatchObject({
      level: 'problem',
      title: 'The target does not offer HTTP/2',
    });
  });

  it('suggests another key if the key makes handshakes expensive', () => {
    const found = targetProtocol.judge([offer({ key: { kind: 'rsa', bits: 4_096 } })], facts);
    expect(found).toMatchObject({ level: 'info', remedy: { text: expect.stringContaining('ECDSA') } });
    expect(found.evidence).toContain('RSA key of 4,096 bits');
  });

  it('applies only to https targets, and only once the user has agreed to what the plan asks for', () => {
    const appliesTo = (url: string, isAgreed: boolean) =>
      targetProtocol.appliesTo?.(makePlanFacts(planFor(url), { kind: 'none' }, isAgreed));
    expect([appliesTo('https://shop.test/', true), appliesTo('http://shop.test/', true), appliesTo('https://shop.test/', false)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
