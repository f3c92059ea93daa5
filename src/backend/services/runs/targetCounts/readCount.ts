import { HoldfastError } from '#core/base/errors.ts';
import { comparedMarker, type StoredCount } from '#core/plan/schema/populate.ts';
import { formatCount } from '#core/base/units.ts';
import { redactValue } from '#core/base/redact.ts';
import { numberIn, textOf, valueIn } from '#engine/gaugeWatch.ts';
import type { MonitorWay } from '#backend/monitors/source.ts';
import { askMysql } from '#backend/monitors/services/mysql.ts';
import { askPostgres } from '#backend/monitors/services/postgres.ts';
import { runCommand } from '#backend/services/runCommand.ts';

const LIMIT_MS = 30_000;
const MAX_REPORTED_CHARACTERS = 300;

export interface CountParts {
  readonly way: Pick<MonitorWay, 'connect' | 'secret'>;
  readonly signal: AbortSignal;
  /** Removes secrets from a command's output. */
  readonly clean: (text: string) => string;
}

/** Maximum number of items that a target may list. */
const MAX_LISTED = 1_000_000;
const MAX_LISTED_BYTES = 64 * 1_048_576;

/** Reads the count of the target once; for a count with a marker, the number of listed items. Throws `STORED_UNREADABLE` or a database error. */
export async function readCount(count: StoredCount, parts: CountParts): Promise<number> {
  if (count.marker === undefined) return readNumber(count, parts);
  if (!('sql' in count)) return (await readList(count, parts)).length;
  const [listed] = await valuesOfDatabase(count, `SELECT count(*) FROM (\n${count.sql}\n) AS listed`, parts);
  return numberOf(listed) ?? fail(count.name, 'its query lists nothing that can be counted');
}

/** Reads all items that the target lists for a count with a marker, in the form in which markers are compared. */
export async function readList(count: StoredCount, parts: CountParts): Promise<string[]> {
  const listed = await valuesOf(count, parts);
  if (listed.length <= MAX_LISTED) return listed.map((value) => comparedMarker(String(value)));
  throw unreadable(count.name, `it lists more than ${formatCount(MAX_LISTED)} items, so restrict it to those of this test`);
}

async function readNumber(count: StoredCount, parts: CountParts): Promise<number> {
  const { name } = count;
  if ('url' in count) {
    return (
      numberIn(await textAt(count, parts.signal), count.path) ?? fail(name, `its address responds, but without a number at ${count.path}`)
    );
  }
  const values = await valuesOf(count, parts);
  if ('sql' in count) return numberOf(values[0]) ?? fail(name, 'the first value from the database is not a number');
  return numberOf(values.at(-1) ?? '') ?? fail(name, 'the last line of its command’s output is not a number');
}

/** Reads the values at an address, in the first column of a query, or in the lines of a command's output. */
async function valuesOf(count: StoredCount, parts: CountParts): Promise<readonly unknown[]> {
  if ('url' in count) {
    const value = valueIn(await textAt(count, parts.signal, MAX_LISTED_BYTES), count.path);
    return Array.isArray(value) ? value : fail(count.name, `its address responds, but without a list at ${count.path}`);
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

async function textAt({ name, url }: Extract<StoredCount, { url: string }>, signal: AbortSignal, maxBytes?: number): Promise<string> {
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
        message: redactValue(thrown.message, secretsOf(text)),
        hint: redactValue(thrown.hint, secretsOf(text)),
      });
    throw thrown;
  }
}

/** Returns a connection string and its password: a database may repeat either in its error. */
function secretsOf(connection: string): string[] {
  const password = URL.canParse(connection) ? new URL(connection).password : '';
  return [connection, ...(password === '' ? [] : [password, decodeURIComponent(password)])];
}

/** Databases return large counts as text. */
function numberOf(value: unknown): number | null {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

function fail(name: string, why: string): never {
  throw unreadable(name, why);
}

function unreadable(name: string, why: string): HoldfastError {
  return new HoldfastError({
    code: 'STORED_UNREADABLE',
    message: `“${name}” cannot be counted: ${why}.`,
    hint: 'Try it by hand, and correct it in “stored” of the plan. Or leave it out: then only successful responses show what was stored.',
  });
}
