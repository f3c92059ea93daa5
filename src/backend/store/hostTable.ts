import { z } from 'zod';
import { hostSchema, type Host } from '#core/plan/schema/hosts.ts';
import type { SqliteDatabase } from './database.ts';

/** Reading and writing the table `hosts`. */
export function createHostTable(database: SqliteDatabase) {
  const insert = database.prepare('INSERT INTO hosts (name, host) VALUES (?, ?) ON CONFLICT (name) DO NOTHING');
  const replace = database.prepare('INSERT INTO hosts (name, host) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET host = excluded.host');
  const all = database.prepare('SELECT host FROM hosts ORDER BY name').pluck();
  const one = database.prepare('SELECT host FROM hosts WHERE name = ?').pluck();
  const remove = database.prepare('DELETE FROM hosts WHERE name = ?');

  return {
    /** False when there is one of that name, and it was not to be replaced. */
    add: (host: Host, mayReplace: boolean): boolean => (mayReplace ? replace : insert).run(host.name, JSON.stringify(host)).changes > 0,
    /** In the order of their names. One that this version does not read is left out. */
    list: (): Host[] => all.all().flatMap((text) => parsed(text) ?? []),
    find: (name: string): Host | null => parsed(one.get(name)),
    remove: (name: string): boolean => remove.run(name).changes > 0,
  };
}

function parsed(text: unknown): Host | null {
  const json = z.string().safeParse(text);
  return json.success ? (hostSchema.safeParse(JSON.parse(json.data)).data ?? null) : null;
}
