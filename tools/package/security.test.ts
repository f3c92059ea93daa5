import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../testing/processes.ts';

it('every guarantee of SECURITY.md names tests, and the tests exist', async () => {
  const text = await readFile(join(root, 'SECURITY.md'), 'utf8');
  const promises = text.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:guarantee|-)/.test(line));
  expect(promises.length).toBeGreaterThan(5);
  for (const promise of promises) {
    const tests = [...(promise.split('|')[2] ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path ?? '');
    expect(tests, promise).not.toEqual([]);
    for (const path of tests) {
      expect(path).toMatch(/\.(?:test|spec)\.ts$/);
      expect(existsSync(join(root, path)), `${path} is not there`).toBe(true);
    }
  }
});

it('each exploit test is listed at its guarantee', async () => {
  const text = await readFile(join(root, 'SECURITY.md'), 'utf8');
  const tests: string[] = [];
  for await (const path of glob('{src,workers,electron}/**/*.exploit.test.ts', { cwd: root })) tests.push(path.replaceAll('\\', '/'));
  expect(tests.length).toBeGreaterThan(5);
  expect(tests.filter((path) => !text.includes(`](${path})`))).toEqual([]);
});

it('the README links to SECURITY.md', async () => {
  expect(await readFile(join(root, 'README.md'), 'utf8')).toContain('(SECURITY.md)');
});
