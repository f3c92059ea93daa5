import { formatCount, formatMs, formatSeconds } from '#core/base/units.ts';
import { bellSentences } from '#core/result/bells.ts';
import { figure, rule } from '../rule.ts';

/** Reports each bell: who was served and how soon, and who was lost, late or absent. */
export const bells = rule('bells', ({ bells: results = [] }) =>
  results.map((result) => {
    if (result.isCalledOff === true) return null;
    const { bell, waited, late, absent, served, failed, unfinished, reloaded, servedWithin, lastServedMs } = result;
    const [lost, absentOrLate] = [failed + unfinished, late + absent];
    const [sentence = '', ...evidence] = bellSentences(result);
    return {
      of: bell,
      level: lost > 0 ? 'problem' : absentOrLate > 0 ? 'warning' : 'info',
      sentence,
      evidence,
      figures: [
        figure('Waiting users', formatCount(waited)),
        figure('Served', formatCount(served)),
        ...servedWithin.map(({ seconds, users }) => figure(`Served within ${formatSeconds(seconds)}`, formatCount(users))),
        lastServedMs !== null && figure('Last one served after', formatMs(lastServedMs)),
        figure('Failed', formatCount(failed)),
        figure('Had to reload', formatCount(reloaded)),
        figure('Late', formatCount(late)),
        figure('Absent', formatCount(absent)),
      ],
      remedy: remedyFor(lost, absentOrLate),
    };
  }),
);

function remedyFor(lost: number, absentOrLate: number): string {
  if (lost > 0)
    return 'Read the errors of this step in the report and the error log of the server at that second. Then ring the bell for half of the users, to find the number that is served.';
  return absentOrLate > 0 ? 'Give users more time to log in before the bell, or find out why they need so long.' : '';
}
