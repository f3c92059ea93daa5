import { hasCostlyKey, type TlsOffer, tlsWords } from '#core/result/tlsOffer.ts';
import { askTlsOffers } from '../targets/tlsOffer.ts';
import type { Check } from './check.ts';
import { allTargets } from '#core/plan/targets.ts';

/** Finds the protocol that browsers would use with the target, and the cost of its handshakes. Opens connections and sends no request. */
export const targetProtocol: Check<readonly TlsOffer[]> = {
  id: 'targetProtocol',
  about: 'The protocol that browsers use with the target',
  appliesTo: ({ plan, isAgreed }) => isAgreed && allTargets(plan).some(({ url }) => url.startsWith('https:')),
  async probe({ plan, clientCertificate: own }) {
    const offers = await askTlsOffers(plan, own.kind === 'usable' ? own.certificate : null);
    return offers.length > 0 ? offers : { unknown: 'No TLS connection was made.' };
  },
  judge(offers, { plan }) {
    const usesHttp2 = plan.connections.protocol === 'h2';
    const hasHttp2 = offers.some(({ protocol }) => protocol === 'h2');
    const differs = hasHttp2 && !usesHttp2;
    const isCostly = offers.some(hasCostlyKey);
    const lacks = usesHttp2 && offers.some(({ protocol }) => protocol !== 'h2');
    if (lacks)
      return {
        level: 'problem',
        title: 'The target does not offer HTTP/2',
        evidence: evidenceOf(offers),
        matters: 'Every connection would fail: the plan wants HTTP/2.',
        remedy: { text: 'Set the protocol of the plan to HTTP/1.1.', command: null, undo: null, risk: '' },
      };
    const common = hasHttp2 ? 'HTTP/2' : 'HTTP/1.1';
    const title = differs ? 'Browsers use HTTP/2 here; the test uses HTTP/1.1' : `Browsers use ${common} here, and so does the test`;
    const matters = [
      ...(differs
        ? [
            'A browser sends all requests of a visitor over one HTTP/2 connection, instead of up to six. Pages cost the server the same; connections and handshakes do not.',
          ]
        : []),
      ...(isCostly ? ['A signature with this RSA key takes about seven times the processor time of one with 2,048 bits.'] : []),
    ];
    return {
      level: differs || isCostly ? 'info' : 'ok',
      title: isCostly ? `${title}. Its TLS handshakes are expensive` : title,
      evidence: evidenceOf(offers),
      matters: matters.join(' '),
      remedy: isCostly
        ? { text: 'Use a certificate with an ECDSA key (P-256): its signatures are the cheapest.', command: null, undo: null, risk: '' }
        : null,
    };
  },
};

function evidenceOf(offers: readonly TlsOffer[]): string {
  return offers.map((offer) => `${new URL(offer.origin).host}: ${tlsWords(offer)}.`).join(' ');
}
