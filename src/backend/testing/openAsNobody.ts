import Database from 'better-sqlite3';
import { toProblem } from '#core/base/errors.ts';
import { prepareDataDirectory } from '../dataDirectory.ts';
import { openStore } from '../store/store.ts';

/**
 * Prepares a data directory or opens its store as a user other than root, because permissions do not apply to root. Prints the error code
 * or `opened`. Arguments: `directory` or `store`, and the data directory.
 */
const NOBODY_ID = 65_534;
const [what = '', directory = ''] = process.argv.slice(2);
// Loads the library as root, because other users may not be allowed to read the project's folder.
new Database(':memory:').close();
if (process.getuid?.() === 0) {
  process.setgid?.(NOBODY_ID);
  process.setuid?.(NOBODY_ID);
}
try {
  if (what === 'directory') prepareDataDirectory(directory);
  else openStore(directory).close();
  process.stdout.write('opened');
} catch (thrown) {
  process.stdout.write(toProblem(thrown).code);
}
