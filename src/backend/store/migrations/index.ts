import { schema } from './0017-schema.ts';
import type { Migration } from './migration.ts';

/** All migrations in the order of their versions. Databases of versions before the first are refused: no release wrote them. */
export const MIGRATIONS: readonly Migration[] = [schema];
