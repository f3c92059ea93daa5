import { namesOfStep } from '#core/work/journey/walked.ts';
import { formatCount, formatMs, formatNumber, formatShare } from '#core/base/units.ts';
import { answered, figure, NOTICEABLE_SHARE, rangeOf, type Found, type Rule } from '../rule.ts';

/** Nobody looked for anything for longer than this: the slowest 404 of a missing route was 160 ms where it was once taken for overload. */
const QUICK_MS = 200;

/**
 * Quick 404: the program that answers does not know the page, because another version or another program is running there. It has nothing to do with
 * load, however much of it there was at that moment.
 */
export const missingRoute: Rule = {
  id: 'missingRoute',
  find({ steps, plan, windows, status: ofRun }) {
    const found = steps.flatMap((step): Found[] => {
      const complete = answered(step.requests);
      const missing = step.status['404'] ?? 0;
      const inClass = Object.entries(step.status).reduce((sum, [status, count]) => sum + (status.startsWith('4') ? count : 0), 0);
      const times = step.latencyByStatusClass['4xx'];
      const good = step.latencyByStatusClass['2xx']?.p50 ?? null;
      const written = plan.journey.find(({ name }) => name === step.name);
      const isExpected = written?.expectStatus?.includes(404) === true;
      // Addresses that are made up of values may be missing one by one: that is a matter of the values.
      const isMadeUp = written === undefined || namesOfStep(written).length > 0;
      if (isExpected || isMadeUp || missing === 0 || missing / complete < NOTICEABLE_SHARE || missing < inClass) return [];
      if (typeof times?.p50 !== 'number' || times.p50 > Math.max(QUICK_MS, typeof good === 'number' ? good : 0)) return [];
      const hit = windows.filter(({ status }) => (status['404'] ?? 0) > 0);
      const [first] = hit;
      const always = step.requests.ok === 0;
      return [
        {
          id: `${this.id}.${step.name}`,
          level: 'problem',
          sentence: always
            ? `Every answer to “${step.name}” was 404, mostly within ${formatMs(times.p50)}: there is no such page at that address. These are not the times of the page, and this is no overload.`
            : `${formatShare(missing / complete)} of the answers to “${step.name}” were 404, mostly within ${formatMs(times.p50)}${first === undefined ? '' : `, the first in second ${formatNumber(first.second)}`}. A page that is missing is no overload: something without it answers at this address.`,
          evidence: ['An overloaded server is slow, refuses connections, or answers 500 to 504. It does not forget a page.'],
          figures: [
            figure('404', `${formatCount(missing)} of ${formatCount(complete)} answers`),
            figure('Half of the 404 within', formatMs(times.p50)),
            figure('Half of the good answers within', formatMs(good)),
          ],
          remedy: always
            ? 'Correct the address or the path of the page; send one request on the Target page. If it is right, another program or another version than you think is running there.'
            : 'Look which version runs on each server behind this address: one that was replaced or restarted during the test, or one of several with an older program, looks like this. Then run the test again.',
          confidence: always ? 'certain' : 'likely',
          range: rangeOf(hit),
        },
      ];
    });
    const explained = steps.reduce(
      (sum, { name, status }) => sum + (found.some(({ id }) => id === `${this.id}.${name}`) ? (status['404'] ?? 0) : 0),
      0,
    );
    // Else others are left, of which the general finding speaks.
    return explained === ofRun['404'] ? found.map((one) => ({ ...one, insteadOf: ['unexpectedStatus.404'] })) : found;
  },
};
