import { formatCount, formatMs } from '#core/base/units.ts';
import { figure, type Found, type Rule } from '../rule.ts';

/** Fewest logins; fewer may end at the same age by coincidence. */
const MIN_LOGINS = 3;
/** Largest ratio of the ages. A user notices the end of a login at the next request, up to one pause after the server's limit. */
const MAX_SPREAD = 1.5;
const MIN_AGE_MS = 500;

/** Finds logins that all end at the same age: the server lets sessions or tokens expire during the run. */
export const sessionExpires: Rule = {
  id: 'sessionExpires',
  find({ steps }) {
    const noticed = steps.flatMap(({ name, sessionAge }) => {
      if (sessionAge === undefined || typeof sessionAge.min !== 'number' || typeof sessionAge.max !== 'number') return [];
      return [{ name, count: sessionAge.count, minMs: sessionAge.min, maxMs: sessionAge.max }];
    });
    const count = noticed.reduce((sum, step) => sum + step.count, 0);
    const minMs = Math.min(...noticed.map((step) => step.minMs));
    const maxMs = Math.max(...noticed.map((step) => step.maxMs));
    if (count < MIN_LOGINS || minMs < MIN_AGE_MS || maxMs > MAX_SPREAD * minMs) return [];
    const names = noticed.map(({ name }) => `“${name}”`).join(', ');
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `Logins expire after about ${formatMs(minMs)}: then ${names} was refused, which had been successful with the same login.`,
        evidence: [`${formatCount(count)} logins were first refused at an age from ${formatMs(minMs)} to ${formatMs(maxMs)}.`],
        figures: [figure('Shortest age', formatMs(minMs)), figure('Longest age', formatMs(maxMs)), figure('Logins', formatCount(count))],
        remedy:
          'Let users log in again as the app does: add renew to the login step, with onStatus: [401] or with afterSeconds below this age.',
        confidence: 'likely',
        range: null,
        insteadOf: ['refusedAtAnyLoad.*'],
      } satisfies Found,
    ];
  },
};
