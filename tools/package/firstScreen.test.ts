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

/** Matches inline styles that are allowed in the markup. They hide elements until base.css is loaded. */
const HIDING_STYLES = /^(?:display:none|border:0;clip:rect\(0 0 0 0\);.*)$/;

beforeAll(() => ensureBuild(root), 120_000);

it('the first screen is in the page with all presets, with its styles and one script, and without anything that the policy forbids', async () => {
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
  for (const [, style] of html.matchAll(/ data-style="([^"]*)"/g)) expect(style).toMatch(HIDING_STYLES);
  expect([...html.matchAll(/<script(?![^>]*application\/json)([^>]*)>/g)].map(([, facts]) => facts)).toEqual([
    expect.stringMatching(/^ src="\/assets\/begin-[^"]+\.js"$/),
  ]);
});

it('a new window loads at most 250 kB of compressed data before its first screen responds', async () => {
  const html = await readFile(join(page, 'index.html'), 'utf8');
  // The bundler puts the static imports of the script into the page. Dynamic imports are loaded later and not counted.
  const namedNames = [...html.matchAll(/ (?:src|href)="\/([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(namedNames.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
  expect(namedNames.filter((path) => path.endsWith('.css')).length).toBeGreaterThan(0);
  const sizes = await Promise.all(
    ['index.html', ...namedNames].map(async (path) => ({ path, bytes: gzipSync(await readFile(join(page, path))).length })),
  );
  const sum = sizes.reduce((total, { bytes }) => total + bytes, 0);
  const largest = sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, 5);
  expect(sum, `the largest: ${largest.map(({ path, bytes }) => `${path} ${bytes}`).join(', ')}`).toBeLessThanOrEqual(MAX_BYTES);
});

/** Returns the files that a built file imports statically, directly or indirectly, and the file itself. */
async function staticFiles(name: string, files = new Map<string, string>()): Promise<Map<string, string>> {
  if (files.has(name)) return files;
  const text = await readFile(join(page, 'assets', name), 'utf8');
  files.set(name, text);
  for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) await staticFiles(imported, files);
  return files;
}

it('only pages with charts load Recharts', async () => {
  const names = (await readdir(join(page, 'assets'))).filter((name) => /^[A-Z]\w*Page-.*\.js$/.test(name));
  const withCharts = await Promise.all(
    names.map(async (name) => {
      const texts = [...(await staticFiles(name)).values()];
      return texts.some((text) => text.includes('recharts-cartesian-grid')) ? [name.replace(/-.*/, '')] : [];
    }),
  );
  expect(withCharts.flat().sort()).toEqual(['ComparePage', 'LivePage', 'ResultPage', 'SearchPage', 'SeriesPage']);
});

it('the font is one small file that does not delay the first screen', async () => {
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
