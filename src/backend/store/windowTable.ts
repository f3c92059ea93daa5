import { z } from 'zod';
import { brotliCompressSync, brotliDecompressSync, constants } from '#threads/zlib.ts';
import { wholeSeconds } from '#core/result/overload.ts';
import { type GeneratorReading, generatorReadingSchema } from '#core/result/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import type { SqliteDatabase } from './database.ts';
import { InFlightByGenerator, type GeneratorWindow, mergeGenerators } from './folding.ts';

/**
 * Brotli at this quality takes a tenth less room than deflate on the counts of a fast target, in the same time (0.2 ms for
 * 40,000 requests); higher qualities take tens of times as long for a twentieth.
 */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Most windows unpack to less. Each is given room of this size before; what Node gives else, twice as much, is a twentieth of the time that a long run takes to be read. */
const UNPACKING = { chunkSize: 8_192 };

/** Windows of so many different seconds are read at once, while other things wait: some milliseconds with several generators. */
const SLICE = 3;

const windowRecordSchema = z.object({ generator: z.int(), counters: z.instanceof(Uint8Array) });
const recordSchema = z.object({ generator: z.int(), counters: z.instanceof(Uint8Array), reading: z.string() });
const extentSchema = z.object({ windows: z.int(), seconds: z.number() });
const readingRecordSchema = z.object({ reading: z.string() });

export type WindowTable = ReturnType<typeof createWindowTable>;

/** Reading and writing the table `windows`. */
export function createWindowTable(database: SqliteDatabase) {
  const insert = database.prepare(
    'INSERT INTO windows (run, generator, second, width, sick, counters, reading) VALUES (@run, @generator, @second, @width, @sick, @counters, @reading)',
  );
  const columns = 'SELECT generator, counters, reading FROM windows';
  const inOrder = database.prepare(`${columns} WHERE run = ? AND second >= ? ORDER BY second, width, generator`);
  const seconds = database.prepare('SELECT DISTINCT second FROM windows WHERE run = ? ORDER BY second').pluck();
  const between = database.prepare(
    `SELECT generator, counters FROM windows WHERE run = @run AND second >= @from AND second < @to ORDER BY second, width, generator`,
  );
  const count = database.prepare('SELECT count(*) FROM windows WHERE run = ?').pluck();
  const extent = database.prepare(
    'SELECT count(*) AS windows, coalesce(sum(width), 0) AS seconds FROM windows WHERE run = @run AND second < @before',
  );
  const readings = database.prepare('SELECT reading FROM windows WHERE run = ? AND generator = ? ORDER BY second');
  const narrow = database.prepare(`${columns} WHERE run = @run AND second >= @from AND second < @to AND width < @width ORDER BY second`);
  const sickSeconds = database
    .prepare("SELECT coalesce(sum(width), 0) FROM windows WHERE run = ? AND generator = ? AND sick <> ''")
    .pluck();
  const removeRange = database.prepare('DELETE FROM windows WHERE run = @run AND second >= @from AND second < @to AND width < @width');

  const insertOne = (run: number, { generator, window, reading }: GeneratorWindow): void => {
    const counters = brotliCompressSync(encodeWindow(window), COMPRESSION);
    const { second, width, sick } = window;
    insert.run({ run, generator, second, width, sick: sick.join(' '), counters, reading: JSON.stringify(reading) });
  };
  return {
    insert: insertOne,
    /**
     * Windows of all generators together that begin in [from, before), in order, one at a time: a long run does not fit in memory comfortably. `inFlight`: of the
     * windows before them. `onPart`: told each generator's own before.
     */
    windows: (run: number, { from, before }: SecondsRange, inFlight: InFlightByGenerator, onPart: OnPart): Generator<Window> =>
      mergeGenerators(placed(between.iterate({ run, from, to: before }), onPart), inFlight),
    /** The same, some seconds at once. Nothing is being read between them, so that the database can be written to. */
    *slices(run: number): Generator<Window[]> {
      const levels = new InFlightByGenerator();
      const starts = z.array(z.number()).parse(seconds.all(run));
      for (let index = 0; index < starts.length; index += SLICE) {
        const records = between.all({ run, from: starts[index], to: starts[index + SLICE] ?? Number.MAX_VALUE });
        yield [...mergeGenerators(placed(records), levels)];
      }
    },
    count: (run: number): number => z.int().parse(count.get(run)),
    /** How many windows begin before a second, and how long they are together. */
    extent: (run: number, before: number): z.infer<typeof extentSchema> => extentSchema.parse(extent.get({ run, before })),
    generatorWindows: (run: number, fromSecond = 0): GeneratorWindow[] => [...generatorWindows(inOrder.all(run, fromSecond))],
    readings(run: number, generator: number): GeneratorReading[] {
      return readings.all(run, generator).map((row) => parseReading(readingRecordSchema.parse(row).reading));
    },
    /** Seconds in which a generator was not to be trusted. */
    sickSeconds: (run: number, generator: number): number => wholeSeconds(z.number().parse(sickSeconds.get(run, generator))),
    /** Windows narrower than `width` that start in [from, to). */
    narrowerThan: (run: number, from: number, to: number, width: number): GeneratorWindow[] => [
      ...generatorWindows(narrow.all({ run, from, to, width })),
    ],
    replace(run: number, from: number, to: number, width: number, folded: readonly GeneratorWindow[]): void {
      removeRange.run({ run, from, to, width });
      for (const generatorWindow of folded) insertOne(run, generatorWindow);
    },
  };
}

/** Of seconds. */
export interface SecondsRange {
  readonly from: number;
  readonly before: number;
}

export type OnPart = (generator: number, window: Window) => void;

interface Placed {
  readonly generator: number;
  readonly window: Window;
}

/** Windows without their readings. */
function* placed(records: Iterable<unknown>, onPart: OnPart = () => {}): Generator<Placed> {
  for (const record of records) {
    const { generator, counters } = windowRecordSchema.parse(record);
    const window = decodeWindow(brotliDecompressSync(counters, UNPACKING));
    onPart(generator, window);
    yield { generator, window };
  }
}

function* generatorWindows(records: Iterable<unknown>): Generator<GeneratorWindow> {
  for (const record of records) yield generatorWindowOf(recordSchema.parse(record));
}

function generatorWindowOf({ generator, counters, reading }: z.infer<typeof recordSchema>): GeneratorWindow {
  return { generator, window: decodeWindow(brotliDecompressSync(counters, UNPACKING)), reading: parseReading(reading) };
}

function parseReading(text: string): GeneratorReading {
  return generatorReadingSchema.parse(JSON.parse(text));
}
