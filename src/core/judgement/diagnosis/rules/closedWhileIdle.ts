import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount, formatShare } from '#core/base/units.ts';
import type { Rule } from '../rule.ts';

/** What a request meets whose connection the server had closed before it read anything of it. */
const CLOSED_BEFORE_ANSWER = ['ECONNRESET@firstByte', 'EPIPE@firstByte', 'EOF@firstByte'];
/** A server that closes connections under more requests than this does so for another reason. */
const AT_MOST = 0.05;

/** Connections lie idle between requests, and some were closed by the server in the instant in which the next request was sent. */
export const closedWhileIdle: Rule = {
  id: 'closedWhileIdle',
  find({ plan, errors, ledger, requestsOnReusedConnection }) {
    const lieIdle = plan.load.model !== 'connections' || plan.journey.some(({ thinkTime }) => thinkTime !== undefined);
    if (!lieIdle || plan.connections.reuse !== 'always' || requestsOnReusedConnection === 0) return [];
    const closed = CLOSED_BEFORE_ANSWER.reduce((sum, name) => sum + (getOwn(errors, name) ?? 0), 0);
    const { sent, ok } = ledger.requests;
    // Else connections that are used well are closed too, and the pauses have nothing to do with it.
    if (closed === 0 || closed > AT_MOST * sent || ok < 10 * closed) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `${closed === 1 ? '1 request' : `${formatCount(closed)} requests`} met a connection that the server closed before it answered, as servers do with connections that lay idle.`,
        evidence: [
          `${formatCount(closed)} of ${formatCount(sent)} requests (${formatShare(closed / sent)}) lost their connection and had received nothing.`,
          `${formatCount(requestsOnReusedConnection)} requests went over connections that had been used before, with pauses between.`,
        ],
        remedy:
          'Let the server keep idle connections longer than people pause: Node closes them after 5 s (server.keepAliveTimeout), nginx after 65 or 75 s (keepalive_timeout). Browsers send such a request once more by themselves; here it counts as failed, since somebody who hands something in may lose it.',
        confidence: 'likely',
        range: null,
      },
    ];
  },
};
