import { join } from 'node:path';
import { openDatabase } from '#backend/store/database.ts';
import { DATABASE_NAME } from '#backend/store/store.ts';
import { LATER_MIGRATIONS } from '../laterMigrations.ts';

// Migrates a trial's store as a later version of Holdfast would, and prints the names of the store's runs.

const database = openDatabase(join(process.env['HOLDFAST_HOME'] ?? '', DATABASE_NAME), LATER_MIGRATIONS);
for (const name of database.prepare('SELECT name FROM runs').pluck().all()) console.log(name);
database.close();
