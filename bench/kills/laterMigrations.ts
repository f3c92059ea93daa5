import { MIGRATIONS } from '#backend/store/migrate.ts';
import { type Migration } from '#backend/store/migrations/migration.ts';

const LATEST = MIGRATIONS.at(-1)?.version ?? 0;
/** Number of migrations that the imitated later version of Holdfast adds. */
export const LATER_COUNT = 6;

/** The migrations of a later version of Holdfast: the current ones and {@link LATER_COUNT} more, each of which adds a table. */
export const LATER_MIGRATIONS: readonly Migration[] = [
  ...MIGRATIONS,
  ...Array.from({ length: LATER_COUNT }, (_, index) => ({
    version: LATEST + index + 1,
    name: `later-${index}`,
    up: (database: Parameters<Migration['up']>[0]) => void database.exec(`CREATE TABLE later_${index} (value TEXT) STRICT`),
  })),
];
