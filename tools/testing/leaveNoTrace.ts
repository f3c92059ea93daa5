import { afterAll, expect } from 'vitest';
import { removeTemporaryDirectories } from './temporaryDirectory.ts';

/** Test files share a process. A change that one left would make the next depend on their order. */
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
