import type { Migration } from './migration.ts';

/**
 * A run may have several load generators, numbered from 0. Each has its own windows, so they can be compared after the run. Their sum is
 * the run.
 */
export const generators: Migration = {
  version: 8,
  name: 'generators',
  up(database) {
    database.exec(`
      CREATE TABLE generators (
        run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        facts TEXT NOT NULL,
        PRIMARY KEY (run, number)
      ) STRICT;
      INSERT INTO generators (run, number, facts) SELECT run, 0, generator FROM run_details WHERE generator IS NOT NULL;
      ALTER TABLE run_details DROP COLUMN generator;

      CREATE TABLE placed_windows (
        run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
        generator INTEGER NOT NULL,
        second REAL NOT NULL,
        width REAL NOT NULL,
        sick TEXT NOT NULL,
        counters BLOB NOT NULL,
        reading TEXT NOT NULL,
        PRIMARY KEY (run, second, generator)
      ) STRICT;
      INSERT INTO placed_windows (run, generator, second, width, sick, counters, reading)
        SELECT run, 0, second, width, sick, counters, reading FROM windows ORDER BY run, second;
      DROP TABLE windows;
      ALTER TABLE placed_windows RENAME TO windows;
    `);
  },
};
