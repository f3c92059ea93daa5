import { tlsOffersIn } from '#core/result/tlsOffer.ts';
import { formatShare } from '#core/base/units.ts';
import type { JudgeInput } from './input.ts';

/** Smallest number of handshakes per request at which they affect the measurement. */
const MIN_NOTABLE_SHARE = 0.1;
/** The first connections have no session to resume. */
const MAX_FIRST_SHARE = 0.05;

/**
 * Describes which TLS handshakes were measured, over which protocol, and which were not, as sentences after the verdict. Empty if handshakes were rare. A
 * server limited by full handshakes may sustain more returning visitors, and one that fails over one protocol may pass over the other.
 */
export function handshakeWords({ plan, evidence, events }: Pick<JudgeInput, 'plan' | 'evidence' | 'events'>): string {
  const { full, resumed, requests } = evidence.handshakes();
  const made = full + resumed;
  if (made === 0 || made < MIN_NOTABLE_SHARE * requests) return '';
  const [used, other] = plan.connections.protocol === 'h2' ? ['HTTP/2', 'HTTP/1.1'] : ['HTTP/1.1', 'HTTP/2'];
  const isOffered = tlsOffersIn(events).some(({ protocol }) => protocol === 'h2');
  const and = isOffered ? ` and ${other}` : '';
  if (resumed === 0)
    return ` Every connection over ${used} made a full TLS handshake, as new visitors do. Resumed ones of returning visitors${and} were not tested.`;
  if (full <= MAX_FIRST_SHARE * made)
    return ` Connections over ${used} resumed a TLS session, as returning visitors do. Full handshakes of new visitors${and} were not tested.`;
  const share = ` Of the TLS handshakes over ${used}, ${formatShare(resumed / made)} were resumed.`;
  return isOffered ? `${share} ${other} was not tested.` : share;
}
