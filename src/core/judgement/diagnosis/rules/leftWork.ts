import { getOwn } from '#core/base/ownMembers.ts';
import { countAcknowledged, listStoredReadings, formatStored, listUnfinishedReadings, listWatchedCounts } from '#core/result/readings.ts';
import { formatCount, formatPart, formatSeconds, isOrAre } from '#core/base/units.ts';
import { figure, rule } from '../rule.ts';

/**
 * Finds items that a server stored in addition to those that it acknowledged. A time-out may lose a response while the work is still done.
 */
export const storedUnknown = rule('storedUnknown', (facts) => {
  // A count that was read before and after the load is more precise than a watched one, so it replaces the watched one of the same step.
  const reported = new Map(
    [...listWatchedCounts(facts.plan, facts.generators), ...listStoredReadings(facts.plan, facts.events)].map((reading) => [
      reading.step,
      reading,
    ]),
  );
  return [...reported.values()].flatMap((reading) => {
    const { step, before, after } = reading;
    const requests = getOwn(facts.requestsByStep, step);
    if (requests === undefined || after === null) return [];
    const acknowledged = countAcknowledged(step, requests, facts.places);
    const { missing, repeated } = reading.items ?? { missing: 0, repeated: 0 };
    const surplus = missing > 0 ? -missing : after - before - acknowledged;
    if (surplus === 0) return [];
    const failed = Math.max(0, requests.sent - acknowledged);
    const isByOthers = repeated === 0 && surplus > failed;
    return {
      of: step,
      level: 'problem',
      sentence:
        surplus > 0
          ? repeated > 0
            ? `${formatCount(repeated)} of “${step}” ${isOrAre(repeated)} stored more than once.`
            : isByOthers
              ? `${formatCount(surplus - failed)} more than “${step}” sent ${isOrAre(surplus - failed)} stored.`
              : `${formatCount(surplus)} of “${step}” were stored although the sender got a failure.`
          : `${formatCount(-surplus)} of “${step}” were acknowledged but not stored.`,
      evidence: [
        formatStored(reading, acknowledged) ?? '',
        `Acknowledged by a successful response: ${formatPart(acknowledged, requests.sent)} requests of “${step}”.`,
      ],
      figures: [
        figure('Stored', formatCount(after - before)),
        figure('Acknowledged', formatCount(acknowledged)),
        figure('Sent', formatCount(requests.sent)),
      ],
      remedy: isByOthers
        ? 'Another step stores them, too, or somebody else did meanwhile. Compare the plan with the site, for example the number of questions.'
        : surplus > 0
          ? 'A proxy or the client timed out before the server was done, and the server continued. A retry must not store it twice: give each submission an ID. Make time-outs on the way longer than the server’s own.'
          : 'Check whether the server responds before it has stored, and loses what it stores later.',
      confidence: 'likely',
    };
  });
});

/** Finds work that the server has not finished after a load, which would disturb the next test. */
export const workLeft = rule('workLeft', ({ plan, events }) =>
  listUnfinishedReadings(plan, events).flatMap((reading) => {
    const { name, step, before, after, unfinished } = reading;
    if (after === null || unfinished === undefined || unfinished.atEnd <= before) return [];
    const isDone = after <= before;
    const leftText = formatCount(after - before);
    return {
      of: name,
      level: isDone ? 'info' : 'warning',
      sentence: isDone
        ? `The server finished what “${step}” gave it to do ${formatSeconds(unfinished.seconds)} after the load: “${name}” fell from ${formatCount(unfinished.atEnd)} to ${formatCount(after)}.`
        : `The server still works on what “${step}” gave it to do: “${name}” is ${leftText} more than before the load, ${formatSeconds(unfinished.seconds)} after it.`,
      evidence: [formatStored(reading, null) ?? ''],
      figures: [figure('At the end of the load', formatCount(unfinished.atEnd)), figure('Left', leftText)],
      remedy: isDone
        ? 'Wait as long before the next test.'
        : 'Wait until it is done before the next test. If the number does not fall, the server tries the same work again and again: see its log.',
    };
  }),
);
