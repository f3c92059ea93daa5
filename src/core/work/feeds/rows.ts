import type { Plan } from '#core/plan/schema/plan.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { listFilledTexts } from '#core/plan/watchPages.ts';
import { didYouMean } from '#core/plan/issues.ts';
import { formatCount } from '#core/base/units.ts';
import type { Feed, FeedRows } from '#core/plan/schema/feeds.ts';
import { isSecretColumn } from '../accounts/accounts.ts';
import { countPlannedJourneys } from '../load/planned.ts';
import { namesOfStep } from '../journey/walked.ts';
import { type Draw, drawFor } from '../journey/generate.ts';
import type { ParsedFeed } from './parseFeed.ts';
import { columnName, readValueName } from '#core/plan/valueNames.ts';

export interface FeedProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * Checks that a feed is readable and has the columns and the number of rows that the plan needs. `spent`: numbers of remaining and used
 * rows of a feed with order `once`.
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
  for (const column of listUsedColumns(plan, name)) {
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

/** Returns whether the values of a feed column must never be shown. */
export function isSecret(column: string, { secret }: Feed): boolean {
  return secret.includes(column) || isSecretColumn(column);
}

/** Returns the columns of a feed that steps and page visits use. */
export function listUsedColumns(plan: Pick<Plan, 'journey' | 'watchPages'>, name: string): Set<string> {
  const names = [...plan.journey.flatMap(namesOfStep), ...listFilledTexts(plan).flatMap(listPlaceholderNames)];
  return new Set(names.map(readValueName).flatMap(({ owner, member }) => (owner === name ? [member] : [])));
}

/** Returns how many rows are in use at the same time. With order `once`, returns how many are used in total, as far as known. */
export function rowsNeeded(plan: Plan, { order }: Pick<Feed, 'order'>): number {
  if (order === 'once') return countPlannedJourneys(plan) ?? maxUsers(plan);
  return order === 'unique' ? maxUsers(plan) : 1;
}

/** Returns how many of a feed's rows, from the first one on, the load can use: with order `unique`, one for each user. */
export function countUsableRows(plan: Plan, { order, rowCount }: Pick<Feed, 'order'> & { readonly rowCount: number }): number {
  return order === 'unique' && plan.load.model !== 'arrivals' ? Math.min(rowCount, maxUsers(plan)) : rowCount;
}

/** Returns the number of concurrent users; 1 for arrivals. Arrivals beyond the number of rows cannot start and are reported. */
function maxUsers({ load }: Plan): number {
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
 * Returns the row of a journey. It depends only on numbers, not on the thread. `users` is the number of concurrent users, whose journeys
 * take rows one after another. Returns null if the rows are used up. Also returns null for order `once`, because all threads together count
 * its rows.
 */
export function findRow(
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
