import { afterAll, expect } from 'vitest';
import { removeTemporaryDirectories } from './temporaryDirectory.ts';

/**
 * Environment before the tests of a file. Test files share a process, so a remaining change would make later files depend on their order.
 */
const ENVIRONMENT = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  removeTemporaryDirectories();
  const names = Object.keys({ ...ENVIRONMENT, ...process.env });
  expect({ changed: names.filter((name) => process.env[name] !== ENVIRONMENT[name]), folder: process.cwd() }).toEqual({
    changed: [],
    folder,
  });
});
