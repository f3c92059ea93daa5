import { z } from 'zod';
import { brotliCompressSync, brotliDecompressSync, constants } from '#threads/zlib.ts';
import { wholeSeconds } from '#core/result/overload.ts';
import { type GeneratorReading, generatorReadingSchema } from '#core/result/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import { columnsOf, columnsSchema, foldPoints, readPoints } from '#core/machines/monitors/foldPoints.ts';
import { type MonitorInfo, monitorInfoSchema, type MonitorPoint, type MonitorResult } from '#core/machines/monitors/result.ts';
import type { SqliteDatabase } from './database.ts';
import { InFlightByGenerator, type GeneratorWindow, mergeGenerators, FOLD_LEVELS } from './folding.ts';
import type { StoreAccess } from './rows.ts';

/**
 * Compression settings. For counts of a fast target, Brotli at this quality takes 10 % less space than deflate in the same time (0.2 ms for
 * 40,000 requests). Higher qualities save another 5 %, but take tens of times as long.
 */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Most windows unpack to less than this size. With Node's default of twice the size, reading a long run takes 5 % longer. */
const UNPACK_OPTIONS = { chunkSize: 8_192 };

/** Number of seconds that are read at once, which takes some milliseconds with several generators. */
const SLICE_SECONDS = 3;

const windowRecordSchema = z.object({ generator: z.int(), counters: z.instanceof(Uint8Array) });
const recordSchema = z.object({ generator: z.int(), counters: z.instanceof(Uint8Array), reading: z.string() });
const extentSchema = z.object({ windows: z.int(), seconds: z.number() });
const readingRecordSchema = z.object({ reading: z.string() });

export type WindowTable = ReturnType<typeof createWindowTable>;

/** Reads and writes the table `windows`. */
export function createWindowTable(database: SqliteDatabase) {
  const insert = database.prepare(
    'INSERT INTO windows (run, generator, second, width, overloaded_by, counters, reading) VALUES (@run, @generator, @second, @width, @overloadedBy, @counters, @reading)',
  );
  const columns = 'SELECT generator, counters, reading FROM windows';
  const inOrder = database.prepare(`${columns} WHERE run = ? AND second >= ? ORDER BY second, width, generator`);
  const seconds = database
    .prepare('SELECT DISTINCT second FROM windows WHERE run = @run AND second >= @from AND second < @before ORDER BY second')
    .pluck();
  const between = database.prepare(
    `SELECT generator, counters FROM windows WHERE run = @run AND second >= @from AND second < @to ORDER BY second, width, generator`,
  );
  const count = database.prepare('SELECT count(*) FROM windows WHERE run = ?').pluck();
  const extent = database.prepare(
    'SELECT count(*) AS windows, coalesce(sum(width), 0) AS seconds FROM windows WHERE run = @run AND second < @before',
  );
  const readings = database.prepare('SELECT reading FROM windows WHERE run = ? AND generator = ? ORDER BY second');
  const narrow = database.prepare(`${columns} WHERE run = @run AND second >= @from AND second < @to AND width < @width ORDER BY second`);
  const overloadedSeconds = database
    .prepare(
      `SELECT coalesce(sum(min(width, @end - second)), 0) FROM windows
       WHERE run = @run AND generator = @generator AND second < @end AND overloaded_by <> ''`,
    )
    .pluck();
  const removeRange = database.prepare('DELETE FROM windows WHERE run = @run AND second >= @from AND second < @to AND width < @width');

  const insertOne = (run: number, { generator, window, reading }: GeneratorWindow): void => {
    const counters = brotliCompressSync(encodeWindow(window), COMPRESSION);
    const { second, width, overloadedBy } = window;
    insert.run({ run, generator, second, width, overloadedBy: overloadedBy.join(' '), counters, reading: JSON.stringify(reading) });
  };
  return {
    insert: insertOne,
    /**
     * Yields merged windows that begin in [from, before), one at a time, because a long run does not fit into memory. `inFlight` holds the
     * outstanding requests before the range. `onPart` receives the window of each generator first.
     */
    windows: (run: number, { from, before }: SecondsRange, inFlight: InFlightByGenerator, onPart: PartListener): Generator<Window> =>
      mergeGenerators(readParts(between.iterate({ run, from, to: before }), onPart), inFlight),
    /** Yields a range (default: all) in slices of some seconds. No query is open between slices, so the database can be written to. */
    *slices(run: number, { from, before }: SecondsRange = EVERYTHING): Generator<Window[]> {
      const levels = new InFlightByGenerator();
      const starts = z.array(z.number()).parse(seconds.all({ run, from, before }));
      for (let index = 0; index < starts.length; index += SLICE_SECONDS) {
        const records = between.all({ run, from: starts[index], to: starts[index + SLICE_SECONDS] ?? before });
        yield [...mergeGenerators(readParts(records), levels)];
      }
    },
    count: (run: number): number => z.int().parse(count.get(run)),
    /** Returns the number and total width of the windows that begin before a second. */
    extent: (run: number, before: number): z.infer<typeof extentSchema> => extentSchema.parse(extent.get({ run, before })),
    generatorWindows: (run: number, fromSecond = 0): GeneratorWindow[] => [...generatorWindows(inOrder.all(run, fromSecond))],
    readings(run: number, generator: number): GeneratorReading[] {
      return readings.all(run, generator).map((row) => parseReading(readingRecordSchema.parse(row).reading));
    },
    /** Returns the overloaded seconds of a generator before a second. */
    overloadedSeconds: (run: number, generator: number, end: number): number =>
      wholeSeconds(z.number().parse(overloadedSeconds.get({ run, generator, end }))),
    /** Returns the windows that are narrower than `width` and start in [from, to). */
    narrowerThan: (run: number, from: number, to: number, width: number): GeneratorWindow[] => [
      ...generatorWindows(narrow.all({ run, from, to, width })),
    ],
    replace(run: number, from: number, to: number, width: number, foldedWindows: readonly GeneratorWindow[]): void {
      removeRange.run({ run, from, to, width });
      for (const generatorWindow of foldedWindows) insertOne(run, generatorWindow);
    },
  };
}

/** A range in seconds. */
export interface SecondsRange {
  readonly from: number;
  readonly before: number;
}

const EVERYTHING: SecondsRange = { from: -Number.MAX_VALUE, before: Number.MAX_VALUE };

export type PartListener = (generator: number, window: Window) => void;

interface GeneratorPart {
  readonly generator: number;
  readonly window: Window;
}

/** Yields windows without their readings. */
function* readParts(records: Iterable<unknown>, onPart: PartListener = () => {}): Generator<GeneratorPart> {
  for (const record of records) {
    const { generator, counters } = windowRecordSchema.parse(record);
    const window = decodeWindow(brotliDecompressSync(counters, UNPACK_OPTIONS));
    onPart(generator, window);
    yield { generator, window };
  }
}

function* generatorWindows(records: Iterable<unknown>): Generator<GeneratorWindow> {
  for (const record of records) yield getGeneratorWindow(recordSchema.parse(record));
}

function getGeneratorWindow({ generator, counters, reading }: z.infer<typeof recordSchema>): GeneratorWindow {
  return { generator, window: decodeWindow(brotliDecompressSync(counters, UNPACK_OPTIONS)), reading: parseReading(reading) };
}

function parseReading(text: string): GeneratorReading {
  return generatorReadingSchema.parse(JSON.parse(text));
}

/** Number of folded readings per row. */
const ROW_SECONDS = 60;

const infoRecordSchema = z.object({ number: z.int(), info: z.string() });
const rowSchema = z.object({ second: z.number(), until: z.number(), columns: z.instanceof(Uint8Array) });

/** Reads and writes the tables `monitors` and `monitor_readings`. */
export function createMonitorTable(database: SqliteDatabase, { read: reading, write: writing, writeAlong }: StoreAccess) {
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

  const getInfos = (run: number): MonitorInfo[] =>
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
      return readPoints(columnsSchema.parse(JSON.parse(brotliDecompressSync(columns).toString('utf8'))));
    });

  /**
   * Folds readings that have become old since the last call, like the windows of a run. At each level, a row holds the same number of
   * readings.
   */
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

  const save = (run: number, info: MonitorInfo): void => void saveInfo.run({ run, number: info.number, info: JSON.stringify(info) });
  const append = (run: number, info: MonitorInfo, points: readonly MonitorPoint[]): void => {
    write(run, info.number, 0, points);
    foldOld(run, info, points.at(-1)?.second ?? 0);
  };

  return {
    saveMonitor: (run: number, info: MonitorInfo): void => writeAlong(() => save(run, info)),
    /** Stores new readings, which arrive in order and without duplicates, and folds old ones. */
    appendMonitor: (run: number, info: MonitorInfo, points: readonly MonitorPoint[]): void => writeAlong(() => append(run, info, points)),
    /** Stores all readings of a monitor. A monitor with the same number is replaced. */
    attachMonitor: (run: number, info: MonitorInfo, points: readonly MonitorPoint[]): void =>
      writing(() => {
        remove.run(run, info.number);
        save(run, info);
        append(run, info, points);
      }),
    monitorInfos: (run: number): MonitorInfo[] => reading(() => getInfos(run)),
    /** Returns the points that end after `fromSecond`. */
    monitorPoints: (run: number, number: number, fromSecond = 0): MonitorPoint[] =>
      reading(() => read(inOrder.all(run, number, fromSecond)).filter(({ second, width }) => second + width > fromSecond)),
    monitors: (run: number): MonitorResult[] =>
      reading(() => getInfos(run).map((info) => ({ ...info, ...columnsOf(read(inOrder.all(run, info.number, 0))) }))),
  };
}
