import { afterAll, expect } from 'vitest';
import { removeTemporaryDirectories } from './temporaryDirectory.ts';

/** Files share a process: what one of them left changed there would make the next one's answer depend on their order. */
const found = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  removeTemporaryDirectories();
  const names = Object.keys({ ...found, ...process.env });
  expect({ changed: names.filter((name) => process.env[name] !== found[name]), folder: process.cwd() }).toEqual({ changed: [], folder });
});
