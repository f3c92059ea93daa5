import { readdir, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { readYaml } from '#core/plan/readYaml.ts';
import { ensureBuild } from '../launch/build.mjs';
import { root, run } from '../testing/processes.ts';

beforeAll(() => ensureBuild(root), 120_000);

it.each(['node/loadWorker', 'node/resultThread', 'agent/holdfast-agent'])(
  'dist/%s.mjs, which starts with each run, contains no zlib implementation and no histograms in WebAssembly',
  async (name) => {
    const text = await readFile(join(root, 'dist', `${name}.mjs`), 'utf8');
    // The bundler marks the module from which each part comes.
    const parts = [...text.matchAll(/^\/\/ node_modules\/(.+)$/gm)].map(([, part]) => part ?? '');
    expect(parts.filter((part) => part.startsWith('hdr-histogram-js/')).length).toBeGreaterThan(0);
    expect(parts.filter((part) => /^pako\/|\/wasm\/(?!index)/.test(part))).toEqual([]);
  },
);

/** Returns the texts of a built file and of all files that it imports statically, directly or indirectly. */
async function readWithImports(name: string, texts = new Map<string, string>()): Promise<Map<string, string>> {
  if (texts.has(name)) return texts;
  const text = await readFile(join(root, 'dist', 'node', name), 'utf8');
  texts.set(name, text);
  for (const [, imported = ''] of text.matchAll(/^(?:import|export) .*"\.\/(?:chunks\/)?([^"]+)";$/gm))
    await readWithImports(`chunks/${imported}`, texts);
  return texts;
}

it('the command line starts without zod and its schemas', async () => {
  const texts = await readWithImports('cli.mjs');
  expect([...texts.keys()].filter((name) => name.includes('commander'))).toHaveLength(1);
  expect([...texts].filter(([, text]) => /^\/\/ node_modules\/zod\//m.test(text)).map(([name]) => name)).toEqual([]);
});

it('the built presets are JSON, which is parsed quickly', async () => {
  const [sources, built] = [join(root, 'presets'), join(root, 'dist', 'node', 'presets')];
  const ids = (await readdir(sources)).filter((name) => name.endsWith('.yaml')).map((name) => parse(name).name);
  expect((await readdir(built)).sort()).toEqual(ids.map((id) => `${id}.json`).sort());
  for (const id of ids) {
    const text = await readFile(join(built, `${id}.json`), 'utf8');
    expect(text).toBe(JSON.stringify(readYaml(await readFile(join(sources, `${id}.yaml`), 'utf8')).value));
  }
});

it('an agent that formats no number creates no formatter', async () => {
  const watched = `const { NumberFormat } = Intl; let made = 0;
    Intl.NumberFormat = class extends NumberFormat { constructor(...given) { super(...given); made += 1; } };
    process.on('exit', () => console.error('made ' + made));`;
  const watch = `data:text/javascript,${encodeURIComponent(watched)}`;
  const agent = join(root, 'dist', 'agent', 'holdfast-agent.mjs');
  const { stderr } = await run('sh', ['-c', `exec "$0" --import "$1" "$2" </dev/null`, process.execPath, watch, agent], { cwd: root });
  expect(stderr).toBe('made 0\n');
});
