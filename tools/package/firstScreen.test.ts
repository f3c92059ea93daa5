import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { readPreset } from '#core/presets/parse.ts';
import { words } from '#ui/words/words.ts';
import { ensureBuild } from '../launch/build.mjs';
import { root } from '../testing/processes.ts';

const MAX_BYTES = 250_000;

const page = join(root, 'dist', 'ui');

/** What an element's own styles are for that come with the markup: base.css hides them all until they are in place. */
const HIDES = /^(?:display:none|border:0;clip:rect\(0 0 0 0\);.*)$/;

beforeAll(() => ensureBuild(root), 120_000);

it('is drawn into the page with all presets, by the styles and one script, and has nothing that the policy refuses', async () => {
  const html = await readFile(join(page, 'index.html'), 'utf8');
  expect(html.match(/<h1[^>]*>([^<]+)/)?.[1]).toBe(words.wizard.pages.question.title);
  const files = await readdir(join(root, 'presets'));
  const titles = await Promise.all(
    files
      .filter((name) => name.endsWith('.yaml'))
      .map(async (name) => readPreset(await readFile(join(root, 'presets', name), 'utf8')).preset?.title),
  );
  const cards = [...html.matchAll(/<input type="radio"[^>]* aria-label="([^"]+)"|<input[^>]* aria-label="([^"]+)"[^>]* type="radio"/g)];
  expect(cards.map(([, one, other]) => one ?? other).sort()).toEqual(titles.sort());
  expect(html).not.toMatch(/<style| style=| on[a-z]+="/);
  for (const [, style] of html.matchAll(/ data-style="([^"]*)"/g)) expect(style).toMatch(HIDES);
  expect([...html.matchAll(/<script(?![^>]*application\/json)([^>]*)>/g)].map(([, facts]) => facts)).toEqual([
    expect.stringMatching(/^ src="\/assets\/begin-[^"]+\.js"$/),
  ]);
});

it('a new window loads at most 250 kB, packed, before its first screen reacts', async () => {
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
  expect(sum, `the largest: ${largest.map(({ path, bytes }) => `${path} ${bytes}`).join(', ')}`).toBeLessThanOrEqual(MAX_BYTES);
});

it('brings its font in one small file, which the first screen does not wait for', async () => {
  const html = await readFile(join(page, 'index.html'), 'utf8');
  const files = await readdir(join(page, 'assets'));
  const fonts = files.filter((name) => name.endsWith('.woff2'));
  expect(fonts).toHaveLength(1);
  expect(html).not.toContain('.woff2');
  const [font = ''] = fonts;
  expect((await readFile(join(page, 'assets', font))).length).toBeLessThan(60_000);
  const [style = ''] = [...html.matchAll(/ href="\/([^"]+\.css)"/g)].map(([, path]) => path ?? '');
  const css = await readFile(join(page, style), 'utf8');
  expect(css).toMatch(/@font-face\{[^}]*font-display:swap/);
  expect(css).toContain(font);
});
