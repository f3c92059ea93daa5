import { formatCount, formatMs, formatSeconds } from '#core/base/units.ts';
import { type BellResult, bellSentences } from '#core/result/bells.ts';
import { figure, type Found, type Rule } from '../rule.ts';
import { present } from '#core/base/lists.ts';

/** Reports each bell: who was served and how soon, and who was lost, late or absent. */
export const bells: Rule = {
  id: 'bells',
  find({ bells: results = [] }) {
    return results.map((result) => findingOf(this.id, result));
  },
};

function findingOf(rule: string, result: BellResult): Found {
  const { bell, waited, late, absent, served, failed, unfinished, servedWithin, lastServedMs } = result;
  const lost = failed + unfinished;
  const [sentence = '', ...evidence] = bellSentences(result);
  return {
    id: `${rule}.${bell}`,
    level: lost > 0 ? 'problem' : late + absent > 0 ? 'warning' : 'info',
    sentence,
    evidence,
    figures: present([
      figure('Waiting users', formatCount(waited)),
      figure('Served', formatCount(served)),
      ...servedWithin.map(({ seconds, users }) => figure(`Served within ${formatSeconds(seconds)}`, formatCount(users))),
      lastServedMs !== null && figure('Last one served after', formatMs(lastServedMs)),
      figure('Failed', formatCount(failed)),
      figure('Had to reload', formatCount(result.reloaded)),
      figure('Late', formatCount(late)),
      figure('Absent', formatCount(absent)),
    ]),
    remedy: remedyFor(lost, late + absent),
    confidence: 'certain',
    range: null,
  };
}

function remedyFor(lost: number, away: number): string {
  if (lost > 0)
    return 'Read the errors of this step in the report and the error log of the server at that second. Then ring the bell for half of the users, to find the number that is served.';
  return away > 0 ? 'Give users more time to log in before the bell, or find out why they need so long.' : '';
}
