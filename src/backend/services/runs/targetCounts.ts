import { setTimeout as sleep } from 'node:timers/promises';
import { toProblem, HoldfastError } from '#core/base/errors.ts';
import { MAX_PEOPLE_RECORDS } from '#core/measurement/people.ts';
import type { SentItem } from '#contract/agent/frames.ts';
import { MAX_COMPARED_ITEMS, type StoredCount, normalizeMarker } from '#core/plan/schema/populate.ts';
import type { StoredReading } from '#core/result/readings.ts';
import { formatCount } from '#core/base/units.ts';
import { redactValue } from '#core/base/redact.ts';
import { numberIn, textOf, findGaugeValue } from '#engine/gaugeWatch.ts';
import type { MonitorWay } from '#backend/monitors/source.ts';
import { askMysql } from '#backend/monitors/services/mysql.ts';
import { askPostgres } from '#backend/monitors/services/postgres.ts';
import { runCommand } from '../runCommand.ts';

/**
 * Number of equal readings that end the wait for a stable count. A target may still work after the load, for about as long as its slowest
 * responses took.
 */
const STABLE_READINGS = 3;
const READING_INTERVAL_MS = 1_000;
const MAX_STABLE_MS = 60_000;
const MAX_SETTLE_MS = 60_000;

/** A count with its readings before and after the load; `problem` says why a reading is missing. */
export interface CountOutcome extends StoredReading {
  readonly problem: string | null;
}

export class TargetCounts {
  private readonly counts: readonly { readonly count: StoredCount; readonly before: number }[];
  private readonly parts: CountParts;
  private readonly ending: AbortController;
  private readonly expected: readonly ExpectedItems[];

  private constructor(counts: TargetCounts['counts'], parts: CountParts, ending: AbortController) {
    this.counts = counts;
    this.parts = parts;
    this.ending = ending;
    this.expected = counts.map(noExpectedItems);
  }

  /** Reads each count once. Throws the first problem, because a count from before the load cannot be read later. */
  static async open(counts: readonly StoredCount[], parts: Omit<CountParts, 'signal'>): Promise<TargetCounts> {
    const ending = new AbortController();
    const all = { ...parts, signal: ending.signal };
    const opened = await Promise.all(counts.map(async (count) => ({ count, before: await readCount(count, all) })));
    return new TargetCounts(opened, all, ending);
  }

  /** Adds items that people sent. `count` is the index among the counts of the plan. */
  expect(count: number, items: readonly SentItem[]): void {
    const expected = this.expected[count];
    if (expected === undefined) return;
    for (const { marker, person, isAcknowledged } of items) {
      if (expected.sent >= MAX_COMPARED_ITEMS) {
        expected.isPartial = true;
        return;
      }
      expected.sent += 1;
      const known = expected.byMarker.get(marker);
      if (known === undefined) expected.byMarker.set(marker, { person, acknowledged: isAcknowledged ? 1 : 0 });
      else if (isAcknowledged) known.acknowledged += 1;
    }
  }

  /** Waits until the counts are stable and returns them. `slowestMs`: time of the load's slowest response. Never rejects. */
  waitForCounts(slowestMs: number): Promise<CountOutcome[]> {
    const stillMs = Math.min(slowestMs, MAX_STABLE_MS);
    const untilMs = Date.now() + MAX_SETTLE_MS + stillMs;
    return Promise.all(
      this.counts.map(async ({ count, before }, index) => {
        const { name, step } = count;
        try {
          if (count.counts === 'unfinished')
            return { index, name, step, before, ...(await this.waitForUnfinished(count, before)), problem: null };
          const after = await this.waitUntilStable(count, stillMs, untilMs);
          return { index, name, step, before, ...after, ...(await this.compareItems(count, index)), problem: null };
        } catch (thrown) {
          return { index, name, step, before, after: null, stands: false, problem: toProblem(thrown).message };
        }
      }),
    );
  }

  /** Ends the wait at once. */
  end(): void {
    this.ending.abort();
  }

  private async compareItems(count: StoredCount, index: number): Promise<Pick<StoredReading, 'items'>> {
    if (count.marker === undefined) return {};
    const { byMarker, isPartial } = this.expected[index] ?? noExpectedItems();
    const listed = new Map<string, number>();
    for (const text of await readList(count, this.parts)) if (byMarker.has(text)) listed.set(text, (listed.get(text) ?? 0) + 1);
    let [compared, missing, repeated, unacknowledged] = [0, 0, 0, 0];
    const people = new Map<number, { person: number; missing: number; unacknowledged: number }>();
    for (const [marker, { person, acknowledged }] of byMarker) {
      const found = listed.get(marker) ?? 0;
      const lost = Math.max(0, acknowledged - found);
      const isUnacknowledged = acknowledged === 0 && found > 0;
      compared += acknowledged;
      missing += lost;
      if (found > Math.max(1, acknowledged)) repeated += 1;
      if (isUnacknowledged) unacknowledged += 1;
      if (lost === 0 && !isUnacknowledged) continue;
      const known = people.get(person) ?? { person, missing: 0, unacknowledged: 0 };
      people.set(person, { person, missing: known.missing + lost, unacknowledged: known.unacknowledged + (isUnacknowledged ? 1 : 0) });
    }
    const differing = this.parts.isOfPeople === true ? { people: [...people.values()].slice(0, MAX_PEOPLE_RECORDS) } : {};
    return { items: { compared, missing, repeated, unacknowledged, ...differing, ...(isPartial ? { isPartial } : {}) } };
  }

  /** Reads the amount of unfinished work until there is no more than before the load, for a limited time. */
  private async waitForUnfinished(count: StoredCount, before: number): Promise<Pick<StoredReading, 'after' | 'stands' | 'unfinished'>> {
    const sinceMs = Date.now();
    const atEnd = await readCount(count, this.parts);
    let after = atEnd;
    while (after > before && Date.now() - sinceMs < MAX_SETTLE_MS && !this.ending.signal.aborted) {
      await sleep(READING_INTERVAL_MS, undefined, { signal: this.ending.signal }).catch(() => {});
      after = await readCount(count, this.parts);
    }
    const seconds = Math.round((Date.now() - sinceMs) / 1_000);
    return { after, stands: after <= before, unfinished: { atEnd, seconds } };
  }

  private async waitUntilStable(count: StoredCount, stillMs: number, untilMs: number): Promise<{ after: number; stands: boolean }> {
    let after = await readCount(count, this.parts);
    let [alike, sinceMs] = [1, Date.now()];
    const isStable = (): boolean => alike >= STABLE_READINGS && Date.now() - sinceMs >= stillMs;
    while (!isStable() && Date.now() < untilMs && !this.ending.signal.aborted) {
      await sleep(READING_INTERVAL_MS, undefined, { signal: this.ending.signal }).catch(() => {});
      const now = await readCount(count, this.parts);
      if (now !== after) [alike, sinceMs] = [0, Date.now()];
      alike += 1;
      after = now;
    }
    return { after, stands: isStable() };
  }
}

/**
 * Items that were sent, by marker: the person who sent the item, and the number of acknowledged items, which is at most 1 if the plan makes
 * markers unique.
 */
interface ExpectedItems {
  readonly byMarker: Map<string, { readonly person: number; acknowledged: number }>;
  sent: number;
  /** Whether more items were sent than are compared. */
  isPartial: boolean;
}

function noExpectedItems(): ExpectedItems {
  return { byMarker: new Map(), sent: 0, isPartial: false };
}

const LIMIT_MS = 30_000;
const MAX_REPORTED_CHARACTERS = 300;

export interface CountParts {
  /** Whether differences are listed by person. */
  readonly isOfPeople?: boolean;
  readonly way: Pick<MonitorWay, 'connect' | 'secret'>;
  readonly signal: AbortSignal;
  /** Removes secrets from a command's output. */
  readonly clean: (text: string) => string;
}

const MAX_LISTED = 1_000_000;
const MAX_LISTED_BYTES = 64 * 1_048_576;

/**
 * Reads the count at the target once; for a count with a marker, returns the number of listed items. Throws `STORED_UNREADABLE` or a
 * database error.
 */
export async function readCount(count: StoredCount, parts: CountParts): Promise<number> {
  if (count.marker === undefined) return readNumber(count, parts);
  if (!('sql' in count)) return (await readList(count, parts)).length;
  const [listed] = await valuesOfDatabase(count, `SELECT count(*) FROM (\n${count.sql}\n) AS listed`, parts);
  return numberOf(listed) ?? throwUnreadable(count.name, 'its query lists nothing that can be counted');
}

/** Reads all items that the target lists for a count with a marker, in the form of markers. */
export async function readList(count: StoredCount, parts: CountParts): Promise<string[]> {
  const listed = await listValues(count, parts);
  if (listed.length <= MAX_LISTED) return listed.map((value) => normalizeMarker(String(value)));
  throw unreadable(count.name, `it lists more than ${formatCount(MAX_LISTED)} items, so restrict it to those of this test`);
}

async function readNumber(count: StoredCount, parts: CountParts): Promise<number> {
  const { name } = count;
  if ('url' in count) {
    return (
      numberIn(await fetchText(count, parts.signal), count.path) ??
      throwUnreadable(name, `its address responds, but without a number at ${count.path}`)
    );
  }
  const values = await listValues(count, parts);
  if ('sql' in count) return numberOf(values[0]) ?? throwUnreadable(name, 'the first value from the database is not a number');
  return numberOf(values.at(-1) ?? '') ?? throwUnreadable(name, 'the last line of its command’s output is not a number');
}

/** Reads the listed values: at an address, in the first column of a query, or in the lines of a command's output. */
async function listValues(count: StoredCount, parts: CountParts): Promise<readonly unknown[]> {
  if ('url' in count) {
    const value = findGaugeValue(await fetchText(count, parts.signal, MAX_LISTED_BYTES), count.path);
    return Array.isArray(value) ? value : throwUnreadable(count.name, `its address responds, but without a list at ${count.path}`);
  }
  if ('sql' in count) {
    const limited = count.marker === undefined ? count.sql : `SELECT * FROM (\n${count.sql}\n) AS listed LIMIT ${MAX_LISTED + 1}`;
    return valuesOfDatabase(count, limited, parts);
  }
  const { problem, output } = await runCommand(count.command, {
    when: 'before',
    environment: {},
    signal: parts.signal,
    clean: parts.clean,
    ...(count.marker === undefined ? {} : { keptCharacters: MAX_LISTED_BYTES }),
  });
  if (problem !== null)
    throw unreadable(count.name, `its command failed: ${problem} ${output.trim().slice(-MAX_REPORTED_CHARACTERS)}`.trim());
  return output.trim() === '' ? [] : output.trim().split('\n');
}

async function fetchText({ name, url }: Extract<StoredCount, { url: string }>, signal: AbortSignal, maxBytes?: number): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]), redirect: 'manual' });
    if (!response.ok) throw unreadable(name, `its address responded with status ${response.status}`);
    return await textOf(response, maxBytes);
  } catch (thrown) {
    if (thrown instanceof HoldfastError) throw thrown;
    throw unreadable(name, 'its address does not respond, or sends too much');
  }
}

async function valuesOfDatabase(
  { connection }: Extract<StoredCount, { sql: string }>,
  sql: string,
  { way }: CountParts,
): Promise<unknown[]> {
  const text = way.secret(connection);
  try {
    return /^(mysql|mariadb):/i.test(text) ? await askMysql(text, way, sql) : await askPostgres(text, way, sql);
  } catch (thrown) {
    if (thrown instanceof HoldfastError)
      throw new HoldfastError({
        code: thrown.code,
        message: redactValue(thrown.message, getSecrets(text)),
        hint: redactValue(thrown.hint, getSecrets(text)),
      });
    throw thrown;
  }
}

/** Returns a connection string and its password, because a database may repeat either in an error. */
function getSecrets(connection: string): string[] {
  const password = URL.canParse(connection) ? new URL(connection).password : '';
  return [connection, ...(password === '' ? [] : [password, decodeURIComponent(password)])];
}

/** Parses a count. Databases return large counts as text. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function throwUnreadable(name: string, reason: string): never {
  throw unreadable(name, reason);
}

function unreadable(name: string, reason: string): HoldfastError {
  return new HoldfastError({
    code: 'STORED_UNREADABLE',
    message: `“${name}” cannot be counted: ${reason}.`,
    hint: 'Try it by hand, and correct it in “stored” of the plan. Or leave it out: then only successful responses show what was stored.',
  });
}
