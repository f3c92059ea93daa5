import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { drawFirstScreen } from '#ui/app/first/draw.tsx';

interface Folders {
  /** Folder with the built page. */
  readonly page: string;
  /** Folder with the built src/ui/first. */
  readonly made: string;
  readonly presets: string;
}

/**
 * Matches the script with the page's code, which is loaded later. Before the first paint, a browser needs only the HTML, the styles and one
 * small script.
 */
const PAGE_CODE = /<script type="module" crossorigin src="([^"]+)"><\/script>/;

/** Renders the first screen into the built page. */
export async function putFirstScreen({ page, made, presets: directory }: Folders): Promise<void> {
  const draw: typeof drawFirstScreen = (await import(pathToFileURL(join(made, 'draw.mjs')).href)).drawFirstScreen;
  const names = (await readdir(directory)).filter((name) => name.endsWith('.yaml')).sort();
  const { root, data } = draw(await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8'))));

  const begin = await readFile(join(made, 'begin.js'));
  const beginPath = `assets/begin-${createHash('sha256').update(begin).digest('hex').slice(0, 8)}.js`;
  await writeFile(join(page, beginPath), begin);

  const file = join(page, 'index.html');
  let html = await readFile(file, 'utf8');
  const replaceOnce = (place: RegExp | string, by: (found: string, path: string) => string): void => {
    const before = html;
    html = html.replace(place, by);
    if (html === before) throw new Error(`${file} has no ${String(place)}`);
  };
  replaceOnce(PAGE_CODE, (_found, path) => `<script src="/${beginPath}"></script>\n    <link rel="modulepreload" href="${path}" />`);
  replaceOnce('<div id="root"></div>', () => `<div id="root">${root}</div>${data}`);
  await writeFile(file, html);
}
