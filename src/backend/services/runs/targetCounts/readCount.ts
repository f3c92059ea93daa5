import { HoldfastError } from '#core/base/errors.ts';
import type { StoredCount } from '#core/plan/schema/populate.ts';
import { redactValue } from '#core/base/redact.ts';
import { numberIn, textOf } from '#engine/gaugeWatch.ts';
import type { MonitorWay } from '#backend/monitors/source.ts';
import { askMysql } from '#backend/monitors/services/mysql.ts';
import { askPostgres } from '#backend/monitors/services/postgres.ts';
import { runCommand } from '#backend/services/runCommand.ts';

const LIMIT_MS = 30_000;
const TOLD_CHARACTERS = 300;

export interface CountParts {
  readonly way: Pick<MonitorWay, 'connect' | 'secret'>;
  readonly signal: AbortSignal;
  /** Takes secrets out of what a command wrote. */
  readonly clean: (text: string) => string;
}

/** Reads what the target counts, once. Throws `STORED_UNREADABLE` or what asking a database does. */
export async function readCount(count: StoredCount, parts: CountParts): Promise<number> {
  if ('url' in count) return countAt(count.name, count.url, count.path, parts.signal);
  if ('sql' in count) return countOfDatabase(count, parts);
  const { problem, output } = await runCommand(count.command, {
    when: 'before',
    environment: {},
    signal: parts.signal,
    clean: parts.clean,
  });
  if (problem !== null) throw unreadable(count.name, `its command failed: ${problem} ${output.trim().slice(-TOLD_CHARACTERS)}`.trim());
  const last = output.trim().split('\n').at(-1) ?? '';
  return numberOf(last) ?? fail(count.name, 'the last line of its command’s output is not a number');
}

async function countAt(name: string, url: string, path: string, signal: AbortSignal): Promise<number> {
  let text: string;
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]), redirect: 'manual' });
    if (!response.ok) throw unreadable(name, `its address responded with status ${response.status}`);
    text = await textOf(response);
  } catch (thrown) {
    if (thrown instanceof HoldfastError) throw thrown;
    throw unreadable(name, 'its address does not respond, or sends far more than a number');
  }
  return numberIn(text, path) ?? fail(name, `its address responds, but without a number at ${path}`);
}

async function countOfDatabase({ name, sql, connection }: Extract<StoredCount, { sql: string }>, { way }: CountParts): Promise<number> {
  const text = way.secret(connection);
  try {
    const value = /^(mysql|mariadb):/i.test(text) ? await askMysql(text, way, sql) : await askPostgres(text, way, sql);
    return numberOf(value) ?? fail(name, 'the first value from the database is not a number');
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

/** A connection string and the password in it: a database may repeat either where it refuses us. */
function secretsOf(connection: string): string[] {
  const password = URL.canParse(connection) ? new URL(connection).password : '';
  return [connection, ...(password === '' ? [] : [password, decodeURIComponent(password)])];
}

/** Databases answer large counts as text. */
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
