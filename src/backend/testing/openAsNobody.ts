import Database from 'better-sqlite3';
import { problemOf } from '#core/base/errors.ts';
import { prepareDataDirectory } from '../dataDirectory.ts';
import { openStore } from '../store/store.ts';

/**
 * A process that opens the store in a directory without the rights of the superuser, whom no permission stops, and prints the
 * code of what went wrong, or `opened`. Arguments: `directory` or `store`, and the data directory.
 */
const NOBODY = 65_534;
const [what = '', directory = ''] = process.argv.slice(2);
// Loaded while it can be read: the project may lie in a directory that is closed to others.
new Database(':memory:').close();
if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
try {
  if (what === 'directory') prepareDataDirectory(directory);
  else openStore(directory).close();
  process.stdout.write('opened');
} catch (thrown) {
  process.stdout.write(problemOf(thrown).code);
}
