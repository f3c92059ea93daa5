import { createHash } from 'node:crypto';
import type { RowsReport } from '#contract/agent/jobShape.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Feed, FeedRows } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { ACCOUNTS_REFUSED_EVENT, type AccountsRefused, accountsRefusedWords } from '#core/result/accountsRefused.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { commonName } from '#core/work/accounts/accounts.ts';
import { isSecret } from '#core/work/feeds/rows.ts';
import type { Store } from '#backend/store/store.ts';

/** Where it is kept which rows of lists with `order: once` are used up. */
export type UsedRows = Store['usedRows'];

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly string[][];
}

/** What a row is called: its user name, else its first value that is no secret. */
function nameOf(row: readonly string[], { columns }: Rows, feed: Feed): string {
  return row[nameColumn(columns, feed)] ?? '';
}

function nameColumn(columns: readonly string[], feed: Feed): number {
  const userNames = columns.flatMap((column, index) => (commonName(column) === 'username' ? [index] : []));
  const [only] = userNames;
  return userNames.length === 1 && only !== undefined ? only : columns.findIndex((column) => !isSecret(column, feed));
}

/** An account of a server is the same one in whatever file, place and company it stands. A row of secrets only is what all its values are. */
function hashOf(plan: Pick<Plan, 'targets'>, feed: Feed, row: readonly string[], rows: Rows): string {
  const { origin } = new URL(plan.targets[0]?.url ?? '');
  const column = nameColumn(rows.columns, feed);
  return hashOfName(origin, column < 0 ? JSON.stringify(row) : (row[column] ?? ''));
}

function hashOfName(origin: string, name: string): string {
  return createHash('sha256').update(`${origin}\n${name}`).digest('hex');
}

/** Notes accounts that somebody used by hand, such as in a recording. */
export function useAccounts(used: UsedRows, url: string, names: readonly string[]): void {
  used.add(names.map((name) => hashOfName(new URL(url).origin, name)));
}

/** The rows that nothing has used so far, and the names of the others. */
export function withoutSpent<Given extends Rows>(
  given: Given,
  plan: Pick<Plan, 'targets'>,
  feed: Feed,
  used: UsedRows,
): { readonly left: Given; readonly spent: readonly string[] } {
  const hashes = given.rows.map((row) => hashOf(plan, feed, row, given));
  const known = used.among(hashes);
  if (known.size === 0) return { left: given, spent: [] };
  const isSpent = (index: number): boolean => known.has(hashes[index] ?? '');
  return {
    left: { ...given, rows: given.rows.filter((_row, index) => !isSpent(index)) },
    spent: given.rows.flatMap((row, index) => (isSpent(index) ? [nameOf(row, given, feed)] : [])),
  };
}

/** All rows of the lists of a plan may be used again, as after the server was reset. */
export function forgetRows(plan: Plan, feeds: Readonly<Record<string, Rows>>, used: UsedRows): void {
  for (const [feed, rows] of onceFeeds(plan, feeds)) used.remove(rows.rows.map((row) => hashOf(plan, feed, row, rows)));
}

function onceFeeds<Given extends Rows>(plan: Plan, feeds: Readonly<Record<string, Given>>): (readonly [Feed, Given])[] {
  return Object.entries(plan.feeds ?? {}).flatMap(([name, feed]) => {
    const rows = getOwn(feeds, name);
    return feed.order === 'once' && rows !== undefined ? [[feed, rows] as const] : [];
  });
}

/** Names in one event. */
const MAX_NAMES = 100;

/** The rows that one load uses up. */
export class RowsOfRun {
  private readonly plan: Plan;
  private readonly lists: readonly (readonly [Feed, FeedRows])[];
  private readonly refusedAt = new Map<number, number>();
  private takenRows = 0;

  constructor(plan: Plan, feeds: Readonly<Record<string, FeedRows>>) {
    this.plan = plan;
    this.lists = onceFeeds(plan, feeds);
  }

  /** Returns the hashes of the rows that journeys have taken. */
  take({ taken, refused }: RowsReport): string[] {
    this.takenRows += taken.length;
    for (const { row, step } of refused) if (!this.refusedAt.has(row)) this.refusedAt.set(row, step);
    return this.lists.flatMap(([feed, list]) =>
      taken.flatMap((row) => {
        const values = list.rows[row];
        return values === undefined ? [] : [hashOf(this.plan, feed, values, list)];
      }),
    );
  }

  /** Which accounts the server refused, by the step at which it did. */
  refusals(second: number): RunEvent[] {
    const [first] = this.lists;
    if (first === undefined) return [];
    const [feed, list] = first;
    const bySteps = Map.groupBy(this.refusedAt, ([, step]) => step);
    return [...bySteps].map(([step, refused]) => {
      const names = refused.flatMap(([row]) => {
        const values = list.rows[row];
        return values === undefined ? [] : [nameOf(values, list, feed)];
      });
      const data: AccountsRefused = {
        step: this.plan.journey[step]?.name ?? '',
        count: names.length,
        of: this.takenRows,
        names: names.toSorted().slice(0, MAX_NAMES),
      };
      return { second, kind: ACCOUNTS_REFUSED_EVENT, text: accountsRefusedWords(data), data };
    });
  }
}
