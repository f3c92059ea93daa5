import { createHash } from 'node:crypto';
import type { RowsReport } from '#contract/agent/frames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Feed, FeedRows } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { ACCOUNTS_REFUSED_EVENT, type AccountsRefused, formatAccountsRefused } from '#core/result/accountsRefused.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { commonName } from '#core/work/accounts/accounts.ts';
import { isSecret } from '#core/work/feeds/rows.ts';
import type { Store } from '#backend/store/store.ts';

/** Records which rows of feeds with `order: once` are used. */
export type UsedRows = Store['usedRows'];

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly string[][];
}

/** Returns the user name in a row, else its first value that is not a secret. */
function nameOf(row: readonly string[], { columns }: Rows, feed: Feed): string {
  return row[nameColumn(columns, feed)] ?? '';
}

function nameColumn(columns: readonly string[], feed: Feed): number {
  const userNames = columns.flatMap((column, index) => (commonName(column) === 'username' ? [index] : []));
  const [only] = userNames;
  return userNames.length === 1 && only !== undefined ? only : columns.findIndex((column) => !isSecret(column, feed));
}

/**
 * Returns a digest of the server and the row's name, so that an account is recognized in every file and at every position. A row that
 * contains only secrets is identified by all its values.
 */
function hashOf(plan: Pick<Plan, 'targets'>, feed: Feed, row: readonly string[], rows: Rows): string {
  const column = nameColumn(rows.columns, feed);
  return hashOfName(plan.targets[0]?.url ?? '', column < 0 ? JSON.stringify(row) : (row[column] ?? ''));
}

/**
 * Returns the digest of a name at a server. The server is identified by its host without a default port, because the http and https
 * addresses of a site share their accounts.
 */
function hashOfName(url: string, name: string): string {
  return createHash('sha256')
    .update(`${new URL(url).host}\n${name}`)
    .digest('hex');
}

/** Records accounts as used, for example those from a recording. */
export function useAccounts(used: UsedRows, url: string, names: readonly string[]): void {
  used.add(names.map((name) => hashOfName(url, name)));
}

/** Returns the unused rows, and the names of the used ones. */
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

/** Makes all rows of a plan's feeds usable again, for example after the server was reset. */
export function forgetRows(plan: Plan, feeds: Readonly<Record<string, Rows>>, used: UsedRows): void {
  for (const [feed, rows] of listOnceFeeds(plan, feeds)) used.remove(rows.rows.map((row) => hashOf(plan, feed, row, rows)));
}

function listOnceFeeds<Given extends Rows>(plan: Plan, feeds: Readonly<Record<string, Given>>): (readonly [Feed, Given])[] {
  return Object.entries(plan.feeds ?? {}).flatMap(([name, feed]) => {
    const rows = getOwn(feeds, name);
    return feed.order === 'once' && rows !== undefined ? [[feed, rows] as const] : [];
  });
}

const MAX_NAMES = 100;

/** The rows that a load uses. */
export class RowsOfRun {
  private readonly plan: Plan;
  private readonly lists: readonly (readonly [Feed, FeedRows])[];
  private readonly refusedAt = new Map<number, number>();
  private takenRows = 0;

  constructor(plan: Plan, feeds: Readonly<Record<string, FeedRows>>) {
    this.plan = plan;
    this.lists = listOnceFeeds(plan, feeds);
  }

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

  /** Returns one event for each step at which the server refused accounts, with their names. */
  refusalEvents(second: number): RunEvent[] {
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
      return { second, kind: ACCOUNTS_REFUSED_EVENT, text: formatAccountsRefused(data), data };
    });
  }
}
