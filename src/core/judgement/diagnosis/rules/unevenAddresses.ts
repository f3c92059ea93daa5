import { formatCount, formatPercent } from '#core/base/units.ts';
import { figure, type Rule } from '../rule.ts';

const LEAST_EACH = 20;
/** The busiest of several has so many times what would be its even share. */
const UNEVEN = 1.5;

/** A name with several addresses, of which one got most of the connections. */
export const unevenAddresses: Rule = {
  id: 'unevenAddresses',
  find({ server, plan }) {
    const all = Object.entries(server.addresses).toSorted(([, one], [, other]) => other - one);
    const total = all.reduce((sum, [, count]) => sum + count, 0);
    const [most] = all;
    // Several targets are asked in turn, each at its own address.
    if (most === undefined || all.length < 2 || plan.targets.length > 1 || total < LEAST_EACH * all.length) return [];
    const [address, count] = most;
    if (count < (UNEVEN * total) / all.length) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `${address} took ${formatPercent(count / total)} of the connections, although “${server.host}” has ${formatCount(all.length)} addresses: an even share would be ${formatPercent(1 / all.length)}.`,
        evidence: [
          'Whoever resolves a name takes one of its addresses, often the first, and keeps it. Many visitors spread over all; few computers do not.',
        ],
        figures: all.map(([name, opened]) => figure(name, `${formatCount(opened)} connections`)),
        remedy: 'Name each address as a target of its own, or send the load from more computers, so that all of them are tested.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};
