import { z } from 'zod';
import { sampleSchema, type Sample } from '#core/work/samples/schema.ts';
import type { SqliteDatabase } from './database.ts';

/** Reading and writing the table `samples`. */
export function createSampleTable(database: SqliteDatabase) {
  const insert = database.prepare(
    'INSERT INTO samples (run, number, sample) SELECT @run, coalesce(max(number), 0) + 1, @sample FROM samples WHERE run = @run',
  );
  const select = database.prepare('SELECT sample FROM samples WHERE run = ? ORDER BY number').pluck();
  return {
    add: (run: number, sample: Sample): void => void insert.run({ run, sample: JSON.stringify(sample) }),
    of: (run: number): Sample[] => select.all(run).map((text) => sampleSchema.parse(JSON.parse(z.string().parse(text)))),
  };
}
