import { afterAll, expect } from 'vitest';
import { removeTemporaryDirectories } from './temporaryDirectory.ts';

/** Test files share a process. If one left a change behind, the next ones would depend on the order of the files. */
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
