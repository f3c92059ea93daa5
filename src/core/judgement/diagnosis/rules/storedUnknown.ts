import { getOwn } from '#core/base/ownMembers.ts';
import type { Finding } from '#core/result/schema.ts';
import { storedReadings, storedWords, watchedCounts } from '#core/result/readings.ts';
import { formatPart, formatCount, isOrAre } from '#core/base/units.ts';
import { figure, type Rule } from '../rule.ts';

/** Finds items that a server stored beyond those that it acknowledged. A time-out may lose the response but not the work. */
export const storedUnknown: Rule = {
  id: 'storedUnknown',
  find(facts) {
    // A count that was read on purpose is more precise than a watched one, so each step uses only one.
    const told = new Map(
      [...watchedCounts(facts.plan, facts.generators), ...storedReadings(facts.plan, facts.events)].map((reading) => [
        reading.step,
        reading,
      ]),
    );
    return [...told.values()].flatMap((reading): Finding[] => {
      const { step, before, after } = reading;
      const requests = getOwn(facts.requestsByStep, step);
      if (requests === undefined || after === null) return [];
      const { missing, repeated } = reading.items ?? { missing: 0, repeated: 0 };
      const beyond = missing > 0 ? -missing : after - before - requests.ok;
      if (beyond === 0) return [];
      return [
        {
          id: `${this.id}.${step}`,
          level: 'problem',
          sentence:
            beyond > 0
              ? repeated > 0
                ? `${formatCount(repeated)} of “${step}” ${isOrAre(repeated)} stored more than once.`
                : `${formatCount(beyond)} of “${step}” were stored although the sender got a failure.`
              : `${formatCount(-beyond)} of “${step}” were acknowledged but not stored.`,
          evidence: [
            storedWords(reading, requests.ok) ?? '',
            `Acknowledged by a successful response: ${formatPart(requests.ok, requests.sent)} requests of “${step}”.`,
          ],
          figures: [
            figure('Stored', formatCount(after - before)),
            figure('Acknowledged', formatCount(requests.ok)),
            figure('Sent', formatCount(requests.sent)),
          ],
          remedy:
            beyond > 0
              ? 'A proxy or the client timed out before the server was done, and the server continued. A retry must not store it twice: give each submission an ID. Make time-outs on the way longer than the server’s own.'
              : 'Check whether the server responds before it has stored, and loses what it stores later.',
          confidence: 'likely',
          range: null,
        },
      ];
    });
  },
};
