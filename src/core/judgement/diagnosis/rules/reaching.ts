import { formatCount, formatMs } from '#core/base/units.ts';
import { figure, type Found, type Rule } from '../rule.ts';

/** Finds an address of a name that accepted no connection, while another address accepted some. */
export const silentAddress: Rule = {
  id: 'silentAddress',
  find({ server }) {
    return Object.entries(server.silentAddresses ?? {}).flatMap(([address, attempts]): Found[] => {
      const others = Object.entries(server.addresses).filter(([other, requests]) => other !== address && requests > 0);
      if (others.length === 0) return [];
      return [
        {
          id: `${this.id}.${address}`,
          level: 'warning',
          sentence: `${address}, an address of “${server.host}”, did not respond to ${formatCount(attempts)} attempts to connect. After 250 ms each, another address was tried.`,
          evidence: [
            'Browsers do the same: a visitor waits a quarter of a second, a program that tries one address only waits until it times out.',
          ],
          figures: others.map(([other, requests]) => figure(other, `${formatCount(requests)} requests`)),
          remedy: `Check that the server listens on ${address}, and that no firewall drops its packets. Otherwise remove it from the name.`,
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};

const MIN_SLOW_LOOKUP_MS = 100;

/** Finds name lookups that took a noticeable time. */
export const slowLookup: Rule = {
  id: 'slowLookup',
  find({ server, phases }) {
    const { max, count = 0 } = phases.lookup ?? {};
    if (typeof max !== 'number' || max < MIN_SLOW_LOOKUP_MS) return [];
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `Looking up the name “${server.host}” took up to ${formatMs(max)}. ${formatCount(count)} requests waited for it before they could connect.`,
        evidence: ['It is the name server, not the server under test. A visitor whose computer does not know the name may wait as long.'],
        figures: [figure('Longest lookup', formatMs(max))],
        remedy:
          'Check the name servers of the load generator and of the domain. To leave them out of the test, give the address by --resolve HOST:PORT:ADDRESS.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};
