import { isBlock } from '#core/base/json.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { readCommand as readBenchCommand } from '#bench/commands.ts';
import { TESTED_NODE_MAJOR } from '#core/machines/checks/host/surroundings.ts';
import { entriesAt } from '#core/import/reading.ts';
import { parseValue } from '#core/review/check.ts';
import { planFields, planSchema } from '#core/plan/schema/plan.ts';
import { parseSeries } from '#core/series/check.ts';
import { readLabArguments } from '#lab/registry.ts';
import { startHarness } from './testing/harness.ts';

const root = resolve(import.meta.dirname, '..', '..');
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'presets/README.md',
  'workers/drivers/autocannon/README.md',
  'src/core/machines/monitors/services/README.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];
const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns the anchors of a document's headings, as GitHub generates them. */
function listAnchors(document: string): Set<string> {
  const headings = [...textOf(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}

/** Returns the lines of fenced blocks without a language, and inline code. Continued lines are joined. */
function codeLinesOf(document: string): string[] {
  const text = textOf(document);
  const blocks = [...text.matchAll(/^```(?:\w*)\n([^]*?)^```/gm)].map(([, block = '']) => block.replaceAll(/\s*\\\n\s*/g, ' '));
  const inline = text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`\n]+)`/g);
  return [...blocks.flatMap((block) => block.split('\n')), ...[...inline].map(([, code = '']) => code)].map((line) => line.trim());
}

/** Removes the remark after a command: text in another column, or a comment. */
function removeRemark(line: string): string {
  return line.split(/ {2,}| # | -- | \|\| |; /, 1)[0] ?? '';
}

/** Returns lines with measurements that the bench does not know. The bench only parses them. */
async function wrongBenchLines(lines: readonly string[]): Promise<string[]> {
  const asked = lines.flatMap((line) => {
    const [, words] = /^(?:npm run (?:-s )?bench --|node bench\/main\.ts) (.+)$/.exec(line) ?? [];
    return words === undefined
      ? []
      : [{ line, words: [...removeRemark(words).matchAll(/"([^"]*)"|\S+/g)].map(([word, inQuotes]) => inQuotes ?? word) }];
  });
  const wrong = asked.map(({ line, words }) =>
    readBenchCommand(words).then(
      () => [],
      (error: unknown) => [`${line}: ${error instanceof Error ? error.message : String(error)}`],
    ),
  );
  return (await Promise.all(wrong)).flat();
}

describe.each(DOCUMENTS)('%s', (document) => {
  it('has no broken links', async () => {
    const links = [...textOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const lost: string[] = [];
    for (const link of links.filter((one) => !/^https?:/.test(one))) {
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? document : relative(root, resolve(root, dirname(document), path));
      const hasFile = await exists(join(root, file));
      if (!hasFile || (anchor !== undefined && file.endsWith('.md') && !listAnchors(file).has(anchor))) lost.push(link);
    }
    expect(lost).toEqual([]);
  });

  it('names only existing files and folders', async () => {
    const paths = codeLinesOf(document).flatMap(
      (code) => /^(?:src|workers|tools|bench|electron|e2e|presets|docs|\.github)\/(?!\S*NAME)[\w./-]*\w$/.exec(code) ?? [],
    );
    const lost = (await Promise.all(paths.map(async (path) => ((await exists(join(root, path))) ? [] : [path])))).flat();
    expect(lost).toEqual([]);
  });

  it('shows only valid commands of holdfast', async () => {
    const cli = await startHarness();
    const lines = codeLinesOf(document).flatMap((line) => /^(?:\$ )?(?:npx |npm run -s )?holdfast (?:-- )?(.+)$/.exec(line)?.[1] ?? []);
    const wrong: string[] = [];
    for (const line of new Set(lines.map(removeRemark))) {
      const words = line.split(/[\s[\]]+/);
      const [command = '', second = ''] = words;
      if (!/^[a-z][a-z-]*$/.test(command)) continue;
      // Each practice server has its own options.
      if (command === 'lab' && /^[a-z]/.test(second)) {
        if (words.length > 2 && !line.includes('…')) expect(() => readLabArguments(words.slice(1)), line).not.toThrow();
        continue;
      }
      for (const next of /^[a-z][a-z|-]*$/.test(second) ? second.split('|') : ['']) {
        const { out } = await cli.run(command, ...(next === '' ? [] : [next]), '--help');
        const options = line.match(/(?<![\w-])(?:--[a-z][\w-]*|-[A-Za-z])(?![\w-])/g) ?? [];
        const isKnown = out.startsWith(`Usage: holdfast ${command}`);
        if (!isKnown || options.some((option) => !new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(out))) wrong.push(line);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('shows only existing scripts and programs of the project', async () => {
    const written: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const scripts = new Set(entriesAt(written, 'scripts').map(([name]) => name));
    const lines = codeLinesOf(document).map(removeRemark);
    const unknown = lines.flatMap((line) => {
      const [, script] = /^npm (?:run |-s |run -s )*([a-z][\w:-]*)/.exec(line) ?? [];
      return script === undefined || /^(ci|sbom|audit|install|pack)$/.test(script) || scripts.has(script) ? [] : [line];
    });
    const programs = lines.flatMap(
      (line) => /^(?:node|npx vitest run|npx oxlint) (?:\.\.\/holdfast\/)?((?:src|bench|tools)\/\S+)/.exec(line)?.[1] ?? [],
    );
    const lost = (await Promise.all(programs.map(async (path) => ((await exists(join(root, path))) ? [] : [path])))).flat();
    expect([...unknown, ...lost]).toEqual([]);
  });

  it('asks the bench only for known measurements', async () => {
    expect(await wrongBenchLines(codeLinesOf(document))).toEqual([]);
  });

  it('shows valid YAML of plans and series', () => {
    const frame = {
      holdfast: 1,
      name: 'x',
      targets: [{ url: 'http://127.0.0.1/' }],
      journey: [{ name: 'page' }],
      load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
    };
    const ofPlan = new Set(Object.keys(planFields));
    const wrong = [...textOf(document).matchAll(/^```yaml\n([^]*?)^```/gm)].flatMap(([, block = '']) => {
      const value: unknown = parse(block);
      if (!isBlock(value)) return Array.isArray(value) ? [] : [block];
      // Presets use another syntax for series.
      if (Object.hasOwn(value, 'series') && document !== 'presets/README.md') {
        const series = isBlock(value['series']) ? { repeats: 2, ...value['series'] } : value['series'];
        const { document: read, issues } = parseSeries(stringify({ ...frame, ...value, series }));
        return read === null ? [`${block}${JSON.stringify(issues)}`] : [];
      }
      if (Object.hasOwn(value, 'holdfast')) return parseValue(value).plan === null ? [block] : [];
      // Documents whose YAML is not a plan, such as a CI job, may use names of plan fields.
      if (document === 'docs/ci.md' || !Object.keys(value).every((name) => ofPlan.has(name))) return [];
      const part = planSchema.safeParse({ ...frame, ...value });
      return part.success ? [] : [`${block}${part.error.message}`];
    });
    expect(wrong).toEqual([]);
  });
});

it('docs/architecture.md: the flows name existing files, and functions in these files', () => {
  const [, flows = ''] = textOf('docs/architecture.md').split('## Three flows, file by file');
  const text = flows.split('\n## ')[0] ?? '';
  let folder = '';
  const files = [...text.matchAll(/`([\w/.]+\.tsx?)`(?: \(`([\w.]+)`\))?/g)].map(([, path = '', name = '']) => {
    const isWhole = /^(?:src|workers|electron)\//.test(path);
    if (isWhole) folder = dirname(path);
    return { file: isWhole ? path : join(folder, path).replaceAll('\\', '/'), name };
  });
  const lostFiles = files.filter(({ file, name }) => !existsSync(join(root, file)) || !textOf(file).includes(name));
  expect(lostFiles).toEqual([]);
  expect(files.length).toBeGreaterThan(60);
});

it('docs: the tested documents are all documents of the project', () => {
  const folders = ['.', 'docs', 'bench', 'presets', 'src', 'workers', 'tools', 'electron', 'e2e'];
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).flatMap((name) =>
      name.endsWith('.md') && !/(?:^|\/)(?:node_modules|artifacts)\//.test(name) ? [join(folder, name).replaceAll('\\', '/')] : [],
    ),
  );
  expect(found.toSorted()).toEqual(DOCUMENTS.toSorted());
});

it('docs: every installation command starts where the document says', async () => {
  const workflow: unknown = parse(await readFile(join(root, '.github/workflows/release.yml'), 'utf8'));
  const startedStep = z
    .object({
      jobs: z.object({
        installers: z.object({ steps: z.array(z.looseObject({ name: z.string().optional(), if: z.string().optional() })) }),
      }),
    })
    .parse(workflow)
    .jobs.installers.steps.find(({ name }) => name === 'start what was built');
  expect(startedStep?.if).toBe("runner.os == 'Linux'");
  expect(textOf('docs/packages.md')).toMatch(
    /The Linux one is installed and started[^.]*\. Those of macOS and Windows are built and never started/,
  );
});

it.each([
  'npm run bench -- covrage',
  'npm run bench -- coverage --only sharess',
  'npm run bench -- coverage --rounds 3',
  'npm run bench -- speed --round 3                one part',
  'npm run bench -- fuzz --only nobody',
  'npm run bench -- hostile --engine curl',
  'npm run bench -- kills --only "agent over string"',
  'npm run bench -- answers hiden',
  'npm run bench -- results soon',
  'node bench/main.ts kils --help',
])('docs: a broken document is detected: %s', async (line) => {
  expect(await wrongBenchLines([line])).toHaveLength(1);
});

it('docs: the same Node version is downloaded, tested and documented', async () => {
  const version = await readFile(join(root, 'tools/launch/version.mjs'), 'utf8');
  expect(version).toContain(`export const fetchedNode = ${TESTED_NODE_MAJOR};`);
  for (const workflow of ['ci', 'release']) {
    const tested = (await readFile(join(root, `.github/workflows/${workflow}.yml`), 'utf8')).match(/node-version: \d+/g) ?? [];
    expect(new Set(tested)).toEqual(new Set([`node-version: ${TESTED_NODE_MAJOR}`]));
  }
});
