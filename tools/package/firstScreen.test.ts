import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { ensureBuild } from '../launch/build.mjs';
import { root } from '../testing/processes.ts';

const MOST_BYTES = 250_000;

const page = join(root, 'dist', 'ui');

beforeAll(() => ensureBuild(root), 120_000);

it('a new window loads at most 250 kB, packed, before it shows its first screen', async () => {
  const html = await readFile(join(page, 'index.html'), 'utf8');
  // The bundler lists whatever the script imports at once; what it imports later, page by page, is not among it.
  const named = [...html.matchAll(/ (?:src|href)="\/([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(named.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
  expect(named.filter((path) => path.endsWith('.css')).length).toBeGreaterThan(0);
  const sizes = await Promise.all(
    ['index.html', ...named].map(async (path) => ({ path, bytes: gzipSync(await readFile(join(page, path))).length })),
  );
  const sum = sizes.reduce((total, { bytes }) => total + bytes, 0);
  const largest = sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, 5);
  expect(sum, `the largest: ${largest.map(({ path, bytes }) => `${path} ${bytes}`).join(', ')}`).toBeLessThanOrEqual(MOST_BYTES);
});
