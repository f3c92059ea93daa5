import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const main = new URL('main.ts', import.meta.url).pathname;

it('recorded journeys at all applications become plans that work with another account', { timeout: 900_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main], { maxBuffer: 10_000_000 });
  expect(stdout).toMatch(/ 0 captured that are not dynamic, (\d+) of \1 plans passed\./);
});
