import { readYaml } from '#core/plan/readYaml.ts';
import type { ParsedFeed } from './csvRecords.ts';

const COLUMNS = ['username', 'password', 'first_name', 'last_name'] as const;

/** Other names that the list is read with in CMS. */
const OTHERWISE: Readonly<Record<string, string>> = { first_name: 'nome', last_name: 'cognome' };

/** The list of users of a contest.yaml of CMS. Never throws, and repeats nothing of what stands there. */
export function parseContestUsers(text: string): ParsedFeed {
  const users = usersIn(text);
  if (users === null) return { columns: [], rows: [], problems: [{ line: 1, message: 'it has no list called users' }] };
  const rows: string[][] = [];
  const problems: { line: number; message: string }[] = [];
  for (const [index, user] of users.entries()) {
    const row = COLUMNS.map((column) => textAt(user, column) ?? textAt(user, OTHERWISE[column] ?? '') ?? '');
    if (row[0] === '') problems.push({ line: index + 1, message: 'this user of the list has no username' });
    else rows.push(row);
  }
  return { columns: COLUMNS, rows, problems };
}

function usersIn(text: string): unknown[] | null {
  const { value } = readYaml(text);
  const users = typeof value === 'object' && value !== null && 'users' in value ? value.users : null;
  return Array.isArray(users) ? users : null;
}

function textAt(user: unknown, name: string): string | null {
  if (typeof user !== 'object' || user === null || !Object.hasOwn(user, name)) return null;
  const value: unknown = Reflect.get(user, name);
  if (typeof value === 'string') return plainPassword(name, value);
  return typeof value === 'number' ? String(value) : null;
}

/** CMS writes how a password is kept before it: only one in clear can be typed into a form. */
function plainPassword(name: string, value: string): string {
  return name === 'password' && value.startsWith('plaintext:') ? value.slice('plaintext:'.length) : value;
}
