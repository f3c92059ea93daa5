import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { EXIT_CODES } from './exitCodes.ts';

it('is documented in the README, line by line', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => ({ code: Number(code), meaning }));
  expect(rows).toEqual(Object.values(EXIT_CODES));
});
