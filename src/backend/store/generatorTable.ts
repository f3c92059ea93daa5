import { z } from 'zod';
import { generatorSchema } from '#core/result/schema.ts';
import type { SqliteDatabase } from './database.ts';

/** What is known of a generator beside its windows and readings. */
export const generatorFactsSchema = generatorSchema.omit({ readings: true, sickSeconds: true, figures: true });
export type GeneratorFacts = z.infer<typeof generatorFactsSchema>;

/** Reading and writing the table `generators`. */
export function createGeneratorTable(database: SqliteDatabase) {
  const upsert = database.prepare('INSERT OR REPLACE INTO generators (run, number, facts) VALUES (?, ?, ?)');
  const select = database.prepare('SELECT facts FROM generators WHERE run = ? ORDER BY number').pluck();
  return {
    set: (run: number, number: number, facts: GeneratorFacts): void => void upsert.run(run, number, JSON.stringify(facts)),
    /** By their numbers, which have no gaps. */
    of: (run: number): GeneratorFacts[] => select.all(run).map((facts) => generatorFactsSchema.parse(JSON.parse(z.string().parse(facts)))),
  };
}
