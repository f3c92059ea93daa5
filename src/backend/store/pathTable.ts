import { z } from 'zod';
import { measuredPathSchema, type MeasuredPath } from '#core/machines/checks/path/schema.ts';
import type { SqliteDatabase } from './database.ts';

/** Reading and writing the table `paths`. */
export function createPathTable(database: SqliteDatabase) {
  const keep = database.prepare(
    'INSERT INTO paths (place, target, path) VALUES (?, ?, ?) ON CONFLICT (place, target) DO UPDATE SET path = excluded.path',
  );
  const find = database.prepare('SELECT path FROM paths WHERE place = ? AND target = ?').pluck();

  return {
    keep: (path: MeasuredPath): void => void keep.run(path.from, path.to, JSON.stringify(path)),
    /** The last measurement from a place to an origin; null when there is none that this version reads. */
    find(from: string, to: string): MeasuredPath | null {
      const text = z.string().safeParse(find.get(from, to));
      return text.success ? (measuredPathSchema.safeParse(JSON.parse(text.data)).data ?? null) : null;
    },
  };
}
