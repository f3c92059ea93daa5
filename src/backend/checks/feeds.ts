import { rowsNeeded } from '#core/work/feeds/rows.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount } from '#core/base/units.ts';
import { lookIntoFeeds } from '../services/runs/readFeeds.ts';
import type { Check } from './check.ts';

interface Lists {
  readonly problems: readonly { readonly message: string; readonly hint: string }[];
  readonly has: readonly string[];
}

/** Whether the lists that a plan takes its accounts and values from are there, and long enough. */
export const feeds: Check<Lists> = {
  id: 'feeds',
  about: 'Lists of accounts and values',
  appliesTo: ({ isAgreed }) => isAgreed,
  async probe({ plan }) {
    const looked = await lookIntoFeeds(plan);
    const has = Object.entries(plan.feeds ?? {}).flatMap(([name, feed]) => {
      const rows = getOwn(looked.feeds, name)?.rows.length;
      return rows === undefined ? [] : [`“${name}”: ${formatCount(rows)} rows, ${formatCount(rowsNeeded(plan, feed))} needed`];
    });
    return { problems: looked.problems, has };
  },
  judge({ problems, has }, { plan }) {
    const [first] = problems;
    if (first === undefined)
      return { level: 'ok', title: 'The lists are long enough', evidence: has.join('; '), matters: '', remedy: null };
    const makes = plan.populate === undefined ? '' : ' The plan says how rows are made on the target, once they stand in the list.';
    return {
      level: 'problem',
      title: first.message,
      evidence: problems
        .slice(1)
        .map(({ message }) => message)
        .join(' '),
      matters: `The run does not start like this.${makes}`,
      remedy: {
        text: [...new Set(problems.map(({ hint }) => hint))].join(' '),
        command: null,
        undo: null,
        risk: '',
      },
    };
  },
};
