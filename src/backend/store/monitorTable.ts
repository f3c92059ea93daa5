import { z } from 'zod';
import { brotliCompressSync, brotliDecompressSync, constants } from '#threads/zlib.ts';
import { columnsOf, columnsSchema, foldPoints, pointsOf } from '#core/machines/monitors/foldPoints.ts';
import { type MonitorInfo, monitorInfoSchema, type MonitorPoint, type MonitorResult } from '#core/machines/monitors/result.ts';
import type { SqliteDatabase } from './database.ts';
import { FOLD_LEVELS } from './folding.ts';

/** Number of folded readings per row. */
const ROW_SECONDS = 60;

/** Higher qualities take tens of times as long for little less space. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const infoRecordSchema = z.object({ number: z.int(), info: z.string() });
const rowSchema = z.object({ second: z.number(), until: z.number(), columns: z.instanceof(Uint8Array) });

export type MonitorTable = ReturnType<typeof createMonitorTable>;

/** Reads and writes the tables `monitors` and `monitor_readings`. */
export function createMonitorTable(database: SqliteDatabase) {
  const saveInfo = database.prepare(`
    INSERT INTO monitors (run, number, info) VALUES (@run, @number, @info) ON CONFLICT (run, number) DO UPDATE SET info = excluded.info`);
  const infos = database.prepare('SELECT number, info FROM monitors WHERE run = ? ORDER BY number');
  const insert = database.prepare(
    'INSERT INTO monitor_readings (run, number, second, until, folded, columns) VALUES (@run, @number, @second, @until, @folded, @columns)',
  );
  const inOrder = database.prepare(
    'SELECT second, until, columns FROM monitor_readings WHERE run = ? AND number = ? AND until > ? ORDER BY second',
  );
  const old = database.prepare(
    'SELECT second, until, columns FROM monitor_readings WHERE run = @run AND number = @number AND until <= @to AND folded < @folded ORDER BY second',
  );
  const removeOld = database.prepare(
    'DELETE FROM monitor_readings WHERE run = @run AND number = @number AND until <= @to AND folded < @folded',
  );

  const remove = database.prepare('DELETE FROM monitors WHERE run = ? AND number = ?');

  const infosOf = (run: number): MonitorInfo[] =>
    infos.all(run).map((record) => monitorInfoSchema.parse(JSON.parse(infoRecordSchema.parse(record).info)));

  const write = (run: number, number: number, folded: number, points: readonly MonitorPoint[]): void => {
    const [first] = points;
    const last = points.at(-1);
    if (first === undefined || last === undefined) return;
    const columns = brotliCompressSync(JSON.stringify(columnsOf(points)), COMPRESSION);
    insert.run({ run, number, second: first.second, until: last.second + last.width, folded, columns });
  };
  const read = (records: readonly unknown[]): MonitorPoint[] =>
    records.flatMap((record) => {
      const { columns } = rowSchema.parse(record);
      return pointsOf(columnsSchema.parse(JSON.parse(brotliDecompressSync(columns).toString('utf8'))));
    });

  /** Folds what has become old since the last call, like the windows of a run. A row holds the same number of readings at each level. */
  const foldOld = (run: number, { number, quantities }: MonitorInfo, nowSecond: number): void => {
    for (const { width, afterSeconds } of FOLD_LEVELS) {
      const to = Math.floor((nowSecond - afterSeconds) / (width * ROW_SECONDS)) * width * ROW_SECONDS;
      if (to <= 0) continue;
      const points = read(old.all({ run, number, to, folded: width }));
      if (points.length === 0) continue;
      removeOld.run({ run, number, to, folded: width });
      const folded = foldPoints(points, width, quantities);
      for (let start = 0; start < folded.length; start += ROW_SECONDS) write(run, number, width, folded.slice(start, start + ROW_SECONDS));
    }
  };

  return {
    save: (run: number, info: MonitorInfo): void => void saveInfo.run({ run, number: info.number, info: JSON.stringify(info) }),
    /** Also removes its readings. */
    remove: (run: number, number: number): void => void remove.run(run, number),
    /** Points come in order, without duplicates. */
    append(run: number, info: MonitorInfo, points: readonly MonitorPoint[]): void {
      write(run, info.number, 0, points);
      foldOld(run, info, points.at(-1)?.second ?? 0);
    },
    infos: infosOf,
    /** Returns the points that end after `fromSecond`. */
    points: (run: number, number: number, fromSecond = 0): MonitorPoint[] =>
      read(inOrder.all(run, number, fromSecond)).filter(({ second, width }) => second + width > fromSecond),
    all(run: number): MonitorResult[] {
      return infosOf(run).map((info) => ({ ...info, ...columnsOf(read(inOrder.all(run, info.number, 0))) }));
    },
  };
}
