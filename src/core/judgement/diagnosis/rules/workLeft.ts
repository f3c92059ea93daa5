import type { Finding } from '#core/result/schema.ts';
import { storedWords, unfinishedReadings } from '#core/result/readings.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { figure, type Rule } from '../rule.ts';

/** Finds unfinished work on the server after a load, which would disturb the next test. */
export const workLeft: Rule = {
  id: 'workLeft',
  find({ plan, events }) {
    return unfinishedReadings(plan, events).flatMap((reading): Finding[] => {
      const { name, step, before, after, unfinished } = reading;
      if (after === null || unfinished === undefined || unfinished.atEnd <= before) return [];
      const isDone = after <= before;
      const left = formatCount(after - before);
      return [
        {
          id: `${this.id}.${name}`,
          level: isDone ? 'info' : 'warning',
          sentence: isDone
            ? `The server finished what “${step}” gave it to do ${formatSeconds(unfinished.seconds)} after the load: “${name}” fell from ${formatCount(unfinished.atEnd)} to ${formatCount(after)}.`
            : `The server still works on what “${step}” gave it to do: “${name}” is ${left} more than before the load, ${formatSeconds(unfinished.seconds)} after it.`,
          evidence: [storedWords(reading, null) ?? ''],
          figures: [figure('At the end of the load', formatCount(unfinished.atEnd)), figure('Left', left)],
          remedy: isDone
            ? 'Wait as long before the next test.'
            : 'Wait until it is done before the next test. If the number does not fall, the server tries the same work again and again: see its log.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};
