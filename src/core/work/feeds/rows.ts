import type { Plan } from '#core/plan/schema/plan.ts';
import { namesIn } from '#core/plan/secrets.ts';
import { filledTexts } from '#core/plan/watchPages.ts';
import { didYouMean } from '#core/plan/issues.ts';
import { formatCount } from '#core/base/units.ts';
import type { Feed, FeedRows } from '#core/plan/schema/feeds.ts';
import { isSecretColumn } from '../accounts/accounts.ts';
import { plannedJourneys } from '../load/planned.ts';
import { namesOfStep } from '../journey/walked.ts';
import { type Draw, drawFor } from '../journey/generate.ts';
import type { ParsedFeed } from './csvRecords.ts';
import { columnName, readValueName } from '#core/plan/valueNames.ts';

export interface FeedProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * Whether the rows of a feed are what the plan needs: readable, with the columns that it asks for, and enough of them. `spent`: how many are left of a list whose rows
 * are used once, and which are spent.
 */
export function checkRows(
  plan: Plan,
  name: string,
  feed: Feed,
  { columns, rows, problems }: ParsedFeed,
  spent: string | null = null,
): FeedProblem[] {
  const found = problems.map(({ line, message }) => ({
    message: `${feed.file}, line ${line}: ${message}.`,
    hint: 'Each line needs a value for every column; a value with a separator or a line break in it stands between ".',
  }));
  for (const column of columnsAsked(plan, name)) {
    if (columns.includes(column) || columns.length === 0) continue;
    found.push({
      message: `${feed.file} has no column “${column}”, and {{${columnName(name, column)}}} asks for it.`,
      hint: didYouMean(column, columns),
    });
  }
  const needed = rowsNeeded(plan, feed);
  if (found.length === 0 && rows.length < needed && spent !== null) {
    found.push({
      message: `“${name}” needs ${formatCount(needed)} that were never used. Of ${feed.file}, ${spent}`,
      hint: 'Add rows, or use fewer users. If the server was reset, use them again: holdfast run with --reuse-rows, or “Use all rows again” on the Check page.',
    });
  } else if (found.length === 0 && rows.length < needed) {
    found.push({
      message: `“${name}” needs ${formatCount(needed)} rows, one for each user, and ${feed.file} has ${formatCount(rows.length)}${feed.skip === undefined ? '' : ` behind the ${formatCount(feed.skip)} that are used up`}.`,
      hint: 'Add rows, use fewer users, or let several share a row: order: sequential.',
    });
  }
  return found;
}

/** Whether values of a feed's column are never shown. */
export function isSecret(column: string, { secret }: Feed): boolean {
  return secret.includes(column) || isSecretColumn(column);
}

/** The columns of a feed that the steps of a plan, and its visitors, ask for, each once. */
export function columnsAsked(plan: Pick<Plan, 'journey' | 'watchPages'>, name: string): Set<string> {
  const names = [...plan.journey.flatMap(namesOfStep), ...filledTexts(plan).flatMap(namesIn)];
  return new Set(names.map(readValueName).flatMap(({ owner, member }) => (owner === name ? [member] : [])));
}

/** Rows that the load takes at the same time; of a list whose rows are used once, all that it is known to take. */
export function rowsNeeded(plan: Plan, { order }: Pick<Feed, 'order'>): number {
  if (order === 'once') return plannedJourneys(plan) ?? usersOf(plan);
  return order === 'unique' ? usersOf(plan) : 1;
}

/** How many users there are at once; 1 for arrivals, who come one after the other: those beyond the rows cannot begin, and that is told. */
function usersOf({ load }: Plan): number {
  switch (load.model) {
    case 'connections':
      return Math.max(...load.stages.map(({ connections }) => connections));
    case 'users':
      return Math.max(...load.stages.map(({ users }) => users));
    case 'arrivals':
      return 1;
    default:
      return load satisfies never;
  }
}

/**
 * Which row a journey takes: from numbers alone, so that it does not depend on the thread. `users`: how many users walk at the same time; their
 * journeys take turns in the rows. null when the rows are used up, and for `once`: which of those comes next, all threads count together.
 */
export function rowFor(
  name: string,
  { order, rowCount }: Pick<FeedRows, 'order'> & { readonly rowCount: number },
  draw: Omit<Draw, 'request'>,
  users: number,
): number | null {
  switch (order) {
    case 'once':
      return null;
    case 'unique':
      return draw.user < rowCount ? draw.user : null;
    case 'sequential':
      return rowCount === 0 ? null : (draw.user + draw.journey * users) % rowCount;
    case 'random':
      return rowCount === 0 ? null : Math.floor(drawFor(`feed ${name}`, { ...draw, journey: draw.journey + 1, request: 0 }, 0) * rowCount);
    default:
      return order satisfies never;
  }
}
