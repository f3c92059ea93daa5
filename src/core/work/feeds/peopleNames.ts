import { getOwn } from '#core/base/ownMembers.ts';
import { fillTemplate, parseTemplate } from '#core/plan/secrets.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { readValueName } from '#core/plan/valueNames.ts';
import { plannedPeople } from '../load/planned.ts';
import type { ParsedFeed } from './parseFeed.ts';
import { findRow, isSecret } from './rows.ts';

/** A person in the result, by number. */
interface NumberedPerson {
  /** Number of the person, from 1. */
  readonly person: number;
}

/**
 * Returns the names of people by their number, taken from the rows of one feed of the plan. People without a row, and names with values of
 * other feeds or of secret columns, are omitted. A feed with order `once` names nobody, because it is unknown which of its rows were unused
 * at the time of the run.
 */
export function namePeople(
  plan: Plan,
  people: readonly NumberedPerson[],
  feedName: string,
  { columns, rows }: Pick<ParsedFeed, 'columns' | 'rows'>,
): Map<number, string> {
  const feed = getOwn(plan.feeds ?? {}, feedName);
  const names = new Map<number, string>();
  if (feed === undefined || feed.order === 'once' || plan.people?.name === undefined) return names;
  const unused = rows.slice(feed.skip ?? 0);
  const template = parseTemplate(plan.people.name);
  const users = plan.load.model === 'arrivals' ? 1 : plannedPeople(plan);
  for (const { person } of people) {
    const draw = { seed: plan.seed, user: person - 1, journey: 0 };
    const index = findRow(feedName, { order: feed.order, rowCount: unused.length }, draw, users);
    const row = index === null ? undefined : unused[index];
    let isKnown = row !== undefined;
    const name = fillTemplate(template, ({ name: value }) => {
      const { owner, member } = readValueName(value);
      const place = columns.indexOf(member);
      if (owner !== feedName || place < 0 || isSecret(member, feed)) isKnown = false;
      return row?.[place] ?? '';
    });
    if (isKnown) names.set(person, name);
  }
  return names;
}
