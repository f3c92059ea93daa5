import { z } from 'zod';
import { generatorSchema, resultSchema, type RunEvent, runEventSchema, type RunResult } from '#core/result/schema.ts';
import { type Sample, sampleSchema } from '#core/work/samples/schema.ts';
import { deflateRawSync, inflateRawSync } from '#threads/zlib.ts';
import { readStoredPlan } from '#core/plan/migrate.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { type Distribution, distributionSchema } from '#core/result/distribution.ts';
import { type EngineEndFacts, engineEndFactsSchema } from '#core/result/stageTimes.ts';
import { type Filmstrip, type Visit, type VisitLog, visitSchema, visitLogSchema } from '#core/result/visits.ts';
import type { SqliteDatabase } from './database.ts';
import type { StoreAccess } from './rows.ts';

/** The facts about a load generator, without its windows and readings. */
export const generatorFactsSchema = generatorSchema.omit({ readings: true, overloadedSeconds: true, figures: true });
export type GeneratorFacts = z.infer<typeof generatorFactsSchema>;

/** Reads and writes the table `generators`. */
export function createGeneratorTable(database: SqliteDatabase, { read, write }: StoreAccess) {
  const upsert = database.prepare('INSERT OR REPLACE INTO generators (run, number, facts) VALUES (?, ?, ?)');
  const select = database.prepare('SELECT facts FROM generators WHERE run = ? ORDER BY number').pluck();
  return {
    /** Stores the facts about a generator. The generators of a run are numbered from 0. */
    setGenerator: (run: number, number: number, facts: GeneratorFacts): void =>
      void write(() => upsert.run(run, number, JSON.stringify(facts))),
    generators: (run: number): GeneratorFacts[] =>
      read(() => select.all(run).map((facts) => generatorFactsSchema.parse(JSON.parse(z.string().parse(facts))))),
  };
}

/** Reads and writes the table `samples`. */
export function createSampleTable(database: SqliteDatabase, { read, writeAlong }: StoreAccess) {
  const insert = database.prepare(
    'INSERT INTO samples (run, number, sample) SELECT @run, coalesce(max(number), 0) + 1, @sample FROM samples WHERE run = @run',
  );
  const select = database.prepare('SELECT sample FROM samples WHERE run = ? ORDER BY number').pluck();
  return {
    addSample: (run: number, sample: Sample): void => writeAlong(() => insert.run({ run, sample: JSON.stringify(sample) })),
    samples: (run: number): Sample[] => read(() => select.all(run).map((text) => sampleSchema.parse(JSON.parse(z.string().parse(text))))),
  };
}

const recordSchema = z.object({ plan: z.string(), engine_end: z.string().nullable() });

export interface RunDetails {
  readonly plan: Plan;
  readonly engineEnd: EngineEndFacts | null;
}

export type DetailTable = ReturnType<typeof createDetailTable>;

/** Reads and writes the tables `run_details` and `events`. */
export function createDetailTable(database: SqliteDatabase) {
  const select = database.prepare('SELECT plan, engine_end FROM run_details WHERE run = ?');
  const selectPlanName = database.prepare("SELECT json_extract(plan, '$.name') FROM run_details WHERE run = ?").pluck();
  const selectResult = database.prepare('SELECT result FROM run_details WHERE run = ?').pluck();
  const setEnd = database.prepare('UPDATE run_details SET engine_end = ? WHERE run = ?');
  const setResult = database.prepare('UPDATE run_details SET result = ? WHERE run = ?');
  const selectDistribution = database.prepare('SELECT distribution FROM run_details WHERE run = ?').pluck();
  const setDistribution = database.prepare('UPDATE run_details SET distribution = ? WHERE run = ?');
  const insertEvent = database.prepare(
    'INSERT INTO events (run, number, event) SELECT @run, coalesce(max(number), 0) + 1, @event FROM events WHERE run = @run',
  );
  const selectEvents = database.prepare('SELECT event FROM events WHERE run = ? ORDER BY number').pluck();

  return {
    read(run: number): RunDetails {
      const record = recordSchema.parse(select.get(run));
      return {
        plan: readStoredPlan(JSON.parse(record.plan)),
        engineEnd: record.engine_end === null ? null : engineEndFactsSchema.parse(JSON.parse(record.engine_end)),
      };
    },
    planName: (run: number): string => z.string().parse(selectPlanName.get(run)),
    setEngineEnd: (run: number, end: EngineEndFacts): void => void setEnd.run(JSON.stringify(end), run),
    setResult: (run: number, result: RunResult): void => void setResult.run(pack(result), run),
    /** Returns null if no result is stored or its version is not supported. The result is then recomputed from the windows. */
    result: (run: number): RunResult | null => unpack(resultSchema, selectResult.get(run)),
    setDistribution: (run: number, distribution: Distribution): void => void setDistribution.run(pack(distribution), run),
    /** Reads a stored distribution. Returns null in the same cases as {@link result}. */
    distribution: (run: number): Distribution | null => unpack(distributionSchema, selectDistribution.get(run)),
    addEvent: (run: number, event: RunEvent): void => void insertEvent.run({ run, event: JSON.stringify(event) }),
    events: (run: number): RunEvent[] => selectEvents.all(run).map((event) => runEventSchema.parse(JSON.parse(z.string().parse(event)))),
  };
}

function pack(value: object): Uint8Array {
  return deflateRawSync(JSON.stringify(value));
}

function unpack<Value>(schema: z.ZodType<Value>, blob: unknown): Value | null {
  if (!(blob instanceof Uint8Array)) return null;
  return schema.safeParse(JSON.parse(inflateRawSync(blob).toString('utf8'))).data ?? null;
}

/** Maximum number of filmstrips per run: one for each page or step and each part of the run. */
const MAX_FILMS = 80;

const factsSchema = visitLogSchema.omit({ visits: true });
export type VisitFacts = z.infer<typeof factsSchema>;

const storedFilmSchema = z.array(z.strictObject({ atMs: z.number(), jpeg: z.base64() }));
const filmRowSchema = z.object({ number: z.int(), film: z.string() });

/** Reads and writes the tables `visit_facts` and `visits`. */
export function createVisitTable(database: SqliteDatabase, { read, writeAlong }: StoreAccess) {
  const setFacts = database.prepare('INSERT OR REPLACE INTO visit_facts (run, facts) VALUES (?, ?)');
  const facts = database.prepare('SELECT facts FROM visit_facts WHERE run = ?').pluck();
  const insert = database.prepare('INSERT INTO visits (run, number, visit) VALUES (?, ?, ?)');
  const all = database.prepare('SELECT visit FROM visits WHERE run = ? ORDER BY number').pluck();
  const setFilm = database.prepare(
    'UPDATE visits SET film = @film WHERE run = @run AND number = @number AND (SELECT count(film) FROM visits WHERE run = @run) < @most',
  );
  const films = database.prepare(
    'SELECT number, CAST(film AS TEXT) AS film FROM visits WHERE run = ? AND film IS NOT NULL ORDER BY number',
  );

  return {
    setVisitFacts: (run: number, of: VisitFacts): void => writeAlong(() => setFacts.run(run, JSON.stringify(of))),
    addVisit: (run: number, visit: Visit): void => writeAlong(() => insert.run(run, visit.number, JSON.stringify(visit))),
    /** Stores the filmstrip of a visit. Only a limited number per run is kept. */
    setVisitFilm: (run: number, number: number, frames: Filmstrip['frames']): void =>
      writeAlong(() => setFilm.run({ run, number, film: Buffer.from(JSON.stringify(frames)), most: MAX_FILMS })),
    /** Returns null if the run had no watched pages. */
    visits: (run: number): VisitLog | null =>
      read(() => {
        const found = facts.get(run);
        if (found === undefined) return null;
        return {
          ...factsSchema.parse(JSON.parse(z.string().parse(found))),
          visits: all.all(run).map((visit) => visitSchema.parse(JSON.parse(z.string().parse(visit)))),
        };
      }),
    visitFilms: (run: number): { readonly number: number; readonly frames: Filmstrip['frames'] }[] =>
      read(() =>
        films.all(run).map((row) => {
          const { number, film } = filmRowSchema.parse(row);
          return { number, frames: storedFilmSchema.parse(JSON.parse(film)) };
        }),
      ),
  };
}
