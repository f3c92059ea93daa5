import { z } from 'zod';
import type { BaselineOf } from '#core/comparison/baseline.ts';
import type { SqliteDatabase } from './database.ts';
import { type RunRecord, runRecordSchema } from './rows.ts';

export interface BaselineRecord extends BaselineOf {
  readonly setMs: number;
  readonly runs: readonly RunRecord[];
}

const recordSchema = runRecordSchema.extend({ question: z.string(), is_preset: z.int(), set_ms: z.int() });

/** Reads and writes the table `baselines`. Ignores deleted runs until they are restored. */
export function createBaselineTable(database: SqliteDatabase) {
  const insert = database.prepare('INSERT INTO baselines VALUES (@question, @isPreset, @target, @run, @setMs)');
  const remove = database.prepare('DELETE FROM baselines WHERE question = @question AND is_preset = @isPreset AND target = @target');
  const columns = `SELECT runs.*, question, is_preset, set_ms FROM baselines JOIN runs ON runs.key = baselines.run WHERE deleted_ms IS NULL`;
  const order = 'ORDER BY set_ms DESC, started_at, key';
  const one = database.prepare(`${columns} AND question = @question AND is_preset = @isPreset AND baselines.target = @target ${order}`);
  const all = database.prepare(`${columns} ${order}`);
  const keyed = ({ question, isPreset, target }: BaselineOf) => ({ question, isPreset: isPreset ? 1 : 0, target });
  return {
    /** Replaces the previous runs. */
    set(of: BaselineOf, runs: readonly number[], setMs: number): void {
      remove.run(keyed(of));
      for (const run of runs) insert.run({ ...keyed(of), run, setMs });
    },
    remove: (of: BaselineOf): boolean => remove.run(keyed(of)).changes > 0,
    find: (of: BaselineOf): BaselineRecord | null => grouped(one.all(keyed(of)))[0] ?? null,
    /** Newest first. */
    list: (): BaselineRecord[] => grouped(all.all()),
  };
}

function grouped(rows: readonly unknown[]): BaselineRecord[] {
  const records = z.array(recordSchema).parse(rows);
  return [...Map.groupBy(records, ({ question, is_preset, target }) => JSON.stringify([question, is_preset, target])).values()].flatMap(
    (runs) => {
      const [first] = runs;
      if (first === undefined) return [];
      return [{ question: first.question, isPreset: first.is_preset === 1, target: first.target, setMs: first.set_ms, runs }];
    },
  );
}
