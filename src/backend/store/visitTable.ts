import { z } from 'zod';
import { visitSchema, type Visit, type VisitLog } from '#core/result/visit.ts';
import type { Filmstrip } from '#core/result/visits.ts';
import type { SqliteDatabase } from './database.ts';

/** Maximum number of films per run: one per page or step, and part of the run. */
const MAX_FILMS = 80;

const factsSchema = z.strictObject({
  browser: z.string(),
  from: z.string().nullable().default(null),
  stepsBack: z.array(z.strictObject({ second: z.number(), pauseSeconds: z.number().nullable() })),
});
export type VisitFacts = z.infer<typeof factsSchema>;

const storedFilmSchema = z.array(z.strictObject({ atMs: z.number(), jpeg: z.base64() }));
const filmRowSchema = z.object({ number: z.int(), film: z.string() });

/** Reads and writes the tables `visit_facts` and `visits`. */
export function createVisitTable(database: SqliteDatabase) {
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
    setFacts: (run: number, of: VisitFacts): void => void setFacts.run(run, JSON.stringify(of)),
    add: (run: number, visit: Visit): void => void insert.run(run, visit.number, JSON.stringify(visit)),
    setFilm: (run: number, number: number, frames: Filmstrip['frames']): void =>
      void setFilm.run({ run, number, film: Buffer.from(JSON.stringify(frames)), most: MAX_FILMS }),
    /** Returns null if the run had no watched pages. */
    log(run: number): VisitLog | null {
      const found = facts.get(run);
      if (found === undefined) return null;
      return {
        ...factsSchema.parse(JSON.parse(z.string().parse(found))),
        visits: all.all(run).map((visit) => visitSchema.parse(JSON.parse(z.string().parse(visit)))),
      };
    },
    films: (run: number): { readonly number: number; readonly frames: Filmstrip['frames'] }[] =>
      films.all(run).map((row) => {
        const { number, film } = filmRowSchema.parse(row);
        return { number, frames: storedFilmSchema.parse(JSON.parse(film)) };
      }),
  };
}
