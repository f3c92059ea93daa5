import { formatCount, formatNumber, formatShare } from '#core/base/units.ts';
import { answered, figure, NEGLIGIBLE_SHARE, rangeOf, type Rule } from '../rule.ts';

/** Connections that were refused although others were answered: whoever listens was gone for a while, or takes no more. */
export const refused: Rule = {
  id: 'refused',
  find({ ledger, windows, servers }) {
    const { requests } = ledger;
    const share = requests.refused / Math.max(1, requests.sent);
    if (answered(requests) === 0 || share < NEGLIGIBLE_SHARE) return [];
    // Which of several servers is gone has a rule of its own.
    if (servers.some(({ silent }) => silent.length > 0)) return [];
    const hit = windows.filter(({ errors }) => (errors['ECONNREFUSED@connect'] ?? 0) > 0);
    const gone = hit.filter(({ completed }) => completed === 0);
    const wasAway = hit.length > 0 && gone.length >= 0.5 * hit.length;
    const [first] = hit;
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `${formatCount(requests.refused)} connections were refused (${formatShare(share)} of the requests)${first === undefined ? '' : `, the first in second ${formatNumber(first.second)}`}: ${
          wasAway ? 'nothing listened there at that time.' : 'whoever listens there took no more while it answered others.'
        }`,
        evidence: [
          wasAway
            ? 'In most of these seconds nothing at all was answered.'
            : 'In the same seconds others were answered, so it was running.',
        ],
        figures: [
          figure('Refused', `${formatCount(requests.refused)} of ${formatCount(requests.sent)} requests`),
          figure('Seconds with refusals', formatCount(hit.length)),
          figure('Of them without any answer', formatCount(gone.length)),
        ],
        remedy: wasAway
          ? 'Look whether the server was restarted or crashed then: into its log, and that of whatever starts it.'
          : 'Look at its limit of connections and at the queue of its listener (listen backlog, net.core.somaxconn), and whether one of several processes had ended.',
        confidence: 'likely',
        range: rangeOf(hit),
      },
    ];
  },
};
