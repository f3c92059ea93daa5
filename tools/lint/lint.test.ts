import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { judgeImport } from './judgeImport.ts';
import { orderedFolders, roomsOfCore, rules } from './table.ts';

const root = resolve(import.meta.dirname, '..', '..');

describe('the imports that a folder may have', () => {
  it.each([
    ['src/core/review/check.ts', 'yaml'],
    ['src/core/review/check.ts', '../plan/schema/plan.ts'],
    ['src/core/judgement/buildResult.ts', '#core/result/schema.ts'],
    ['src/contract/api.ts', '#core/plan/schema/plan.ts'],
    ['workers/loadWorker.ts', 'autocannon'],
    ['src/backend/store/open.ts', 'better-sqlite3'],
    ['src/cli/main.ts', '#server/startServer.ts'],
    ['src/backend/services/runs/runService.ts', '#backend/results/resultThread.ts'],
    ['src/backend/results/resultReaders.ts', '#backend/store/store.ts'],
    ['src/backend/services/tries/tryService.ts', '../runs/readFiles.ts'],
    ['src/backend/services/runs/runSession.ts', '../secrets.ts'],
    ['workers/drivers/native/nativeLoad.ts', '#workers/journey/plainWalk.ts'],
    ['workers/legRun.ts', './drivers/connectionLoads.ts'],
    ['src/ui/wizard/load/Load.tsx', '#ui/components/Button.tsx'],
    ['src/ui/wizard/load/Load.tsx', '../state/answers.ts'],
    ['src/ui/app/App.tsx', '#ui/wizard/Wizard.tsx'],
    ['src/ui/wizard/Wizard.tsx', '#ui/shared/backend.ts'],
    ['src/ui/main.tsx', 'react-dom/client'],
    ['electron/backendProcess.ts', '#backend/index.ts'],
    ['src/core/revie./check.test.ts', 'fast-check'],
    ['src/engine/testing/server.ts', 'node:http'],
  ])('%s may import %s', (file, source) => expect(judgeImport(file, source)).toBeNull());

  it.each([
    ['tools/check/check.test.ts', './main.ts'],
    ['e2e/playwright.config.ts', '#tools/check/main.ts'],
    ['src/core/review/check.ts', 'node:fs'],
    ['src/core/review/check.ts', 'autocannon'],
    ['src/core/review/check.ts', '#contract/api.ts'],
    ['src/contract/api.ts', '../backend/index.ts'],
    ['src/engine/startEngine.ts', '#backend/store/open.ts'],
    ['src/engine/startEngine.ts', 'better-sqlite3'],
    ['src/backend/index.ts', '#cli/main.ts'],
    ['src/backend/results/resultReaders.ts', '../services/runs/liveView.ts'],
    ['src/backend/store/open.ts', '#backend/results/resultOf.ts'],
    ['src/backend/services/runs/runSession.ts', '../tries/tryService.ts'],
    ['src/backend/services/resolveJob.ts', './runs/runPhase.ts'],
    ['src/backend/services/targets/targetCalls.ts', '#backend/services/runs/readFiles.ts'],
    ['src/backend/visits/enteredTexts.ts', '#backend/services/runs/readFiles.ts'],
    ['src/core/judgement/verdict/sentence.ts', '../diagnosis/rule.ts'],
    ['src/cli/plans/access.ts', '../running/perform.ts'],
    ['src/cli/running/perform.ts', '../commands/quick.ts'],
    ['src/lab/web/respond.ts', '../contest/contest.ts'],
    ['workers/journey/plainWalk.ts', '../drivers/stageLoad.ts'],
    ['workers/streams/socketReading.ts', '#workers/drivers/native/exchange.ts'],
    ['src/backend/index.ts', '#workers/loadWorker.ts'],
    ['src/agent/main.ts', '#backend/index.ts'],
    ['src/lab/main.ts', '#contract/api.ts'],
    ['src/ui/wizard/load/Load.tsx', '#backend/index.ts'],
    ['src/ui/wizard/load/Load.tsx', 'node:path'],
    ['src/ui/wizard/load/Load.tsx', 'recharts'],
    ['src/ui/wizard/load/Load.tsx', '#ui/history/History.tsx'],
    ['src/ui/components/Button.tsx', '#ui/wizard/Wizard.tsx'],
    ['src/ui/charts/Chart.tsx', '#ui/live/Live.tsx'],
    ['src/ui/charts/Chart.tsx', '#ui/shared/backend.ts'],
    ['src/ui/wizard/Wizard.tsx', '#ui/app/App.tsx'],
    ['src/ui/shared/backend.ts', '#ui/app/App.tsx'],
    ['electron/main.ts', '#backend/index.ts'],
    ['electron/main.ts', 'ws'],
    ['src/core/review/check.ts', './check.test.ts'],
    ['src/backend/index.ts', './testing/backend.ts'],
    ['workers/drivers/native/load.ts', '../../clock.ts'],
    ['src/core/base/a.ts', '#nowhere/a.ts'],
    ['src/core/base/units.ts', '#core/plan/schema/plan.ts'],
    ['src/core/result/schema.ts', '../judgement/buildResult.ts'],
    ['src/core/attic/a.ts', '#core/base/units.ts'],
    ['src/core/base/units.ts', '../a.ts'],
    ['src/core/a.test.ts', '../../a.ts'],
  ])('%s may not import %s', (file, source) => expect(judgeImport(file, source)).toEqual(expect.any(String)));

  it('are those in docs/architecture.md', async () => {
    const document = await readFile(join(root, 'docs', 'architecture.md'), 'utf8');
    for (const [folder, rule] of Object.entries(rules)) {
      const row = document.split('\n').find((line) => line.startsWith(`| \`${folder}\` `));
      const words = new Set(
        row
          ?.split('|')
          .at(-2)
          ?.match(/[a-z-]+/g),
      );
      const own = Object.keys(rules).map((path) => path.replace('src/', ''));
      const namedNames = own.filter((name) => words.has(name));
      const enforced = [...rule.folders, ...(rule.exceptions ?? []).map(({ imports }) => imports.replaceAll(/[#/]/g, ''))];
      expect({ folder, imports: namedNames.toSorted() }).toEqual({ folder, imports: enforced.toSorted() });
    }
  });
});

describe('the rooms of the core', () => {
  it('have an order: each imports only earlier rooms', () => {
    const names = Object.keys(roomsOfCore);
    for (const [index, name] of names.entries())
      expect({ name, above: roomsOfCore[name]?.filter((other) => !names.slice(0, index).includes(other)) }).toEqual({ name, above: [] });
  });

  it('are those of the folder, and those in docs/architecture.md', async () => {
    const folders = (await readdir(join(root, 'src', 'core'), { withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((name) => name !== 'testing').toSorted()).toEqual(Object.keys(roomsOfCore).toSorted());
    const document = await readFile(join(root, 'docs', 'architecture.md'), 'utf8');
    const lines = document.slice(document.indexOf('## The rooms of the core')).split('\n');
    for (const [room, imports] of Object.entries(roomsOfCore)) {
      const words =
        lines
          .find((line) => line.startsWith(`| \`${room}\` `))
          ?.split('|')
          .at(-2) ?? 'no such line';
      expect({ room, imports: words.match(/[\w-]+/g) ?? [] }).toEqual({ room, imports });
    }
  });
});

describe('ordered folders', () => {
  it.each(Object.entries(orderedFolders))('%s has all its folders in the order, as in docs/architecture.md', async (parent, order) => {
    const folders = (await readdir(join(root, parent), { withFileTypes: true })).filter((entry) => entry.isDirectory());
    const names = folders.map(({ name }) => name).filter((name) => name !== 'testing');
    const inOrder = order.filter((name) => name !== '.');
    expect(names.toSorted()).toEqual(inOrder.toSorted());
    const document = await readFile(join(root, 'docs', 'architecture.md'), 'utf8');
    const [, section = ''] = document.split('## The folders of the load workers');
    const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    const line = section.split('\n').find((text) => text.startsWith(`- \`${parent}\`: `)) ?? '';
    const listed = [...line.matchAll(/`([\w-]+)`(?!:)/g)].map(([, name]) => name);
    expect(parent === 'workers' ? rows : listed).toEqual(inOrder);
  });
});

describe('the linter', () => {
  it('finds planted violations, and reports nothing in valid code', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'holdfast-lint-'));
    try {
      for (const file of ['.oxlintrc.json', 'package.json']) await cp(join(root, file), join(directory, file));
      await cp(join(root, 'tools', 'lint'), join(directory, 'tools', 'lint'), { recursive: true });
      await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
      const writeSource = async (file: string, text: string): Promise<void> => {
        await mkdir(dirname(join(directory, file)), { recursive: true });
        await writeFile(join(directory, file), text);
      };
      await writeSource('src/core/base/clock.ts', 'export const now = (): number => Date.now() + Math.random() + new Date().getTime();\n');
      await writeSource('src/core/base/files.ts', "export { readFile } from 'node:fs';\n");
      await writeSource('src/core/result/tally.ts', "import type { Word } from './word.ts';\nexport type Tally = Record<string, Word>;\n");
      await writeSource('src/core/result/word.ts', "import type { Tally } from './tally.ts';\nexport type Word = keyof Tally;\n");
      await writeSource('src/ui/wizard/Wizard.tsx', "export const load = () => import('#ui/history/History.tsx');\n");
      await writeSource(
        'electron/menu.ts',
        "import { ipcMain, shell } from 'electron';\nipcMain.on('x', () => void shell.openExternal('file:///'));\n",
      );
      await writeSource('src/backend/say.ts', "process.stdout.write('\\u001b[2J');\nconsole.error('x');\n");
      await writeSource(
        'electron/ipc.ts',
        "// oxlint-disable-next-line no-restricted-imports -- a reason\nimport { ipcMain } from 'electron';\nipcMain.on('x', () => {});\n",
      );
      await writeSource(
        'src/cli/readAnswers.ts',
        "import { parse, stringify } from 'yaml';\nexport const copy = (text: string): string => stringify(parse(text));\n",
      );
      await writeSource('src/backend/remote/ask.ts', "import { spawn } from 'node:child_process';\nspawn('sh');\n");
      await writeSource('src/engine/k6/folder.ts', "import { mkdtempSync } from 'node:fs';\nmkdtempSync('x');\n");
      await writeSource(
        'src/backend/services/look.ts',
        "import { resultOf } from '../results/resultOf.ts';\nexport { ResultThread } from '../results/resultThread.ts';\nresultOf();\n",
      );
      await writeSource(
        'src/engine/pool.ts',
        "import { Worker } from 'node:worker_threads';\nexport const thread = new Worker('./x.ts');\n",
      );
      await writeSource('src/engine/pack.ts', "import { gzipSync } from 'node:zlib';\nexport const packed = gzipSync('x');\n");
      await writeSource('src/engine/late.test.ts', "import { it } from 'vitest';\nit('waits', { retry: 3 }, () => {});\n");
      await writeSource(
        'src/backend/services/where.ts',
        "export const where = (text: string): string => (text.startsWith('env:') || /^(?:ask:.)/.test(text) ? `file:${text}` : `host:${text}`);\n",
      );
      await writeSource(
        'src/engine/long.test.ts',
        `describe('x', () => {\n${'\n'.repeat(90)}});\nexport const long = () => {\n${'\n'.repeat(90)}};\n`,
      );
      await writeSource('src/cli/say.ts', "export const help = 'Write env:NAME or file:PATH.';\n");
      const found = await lint(directory);
      expect(found).toEqual([
        'electron/menu.ts: eslint(no-restricted-imports)',
        'electron/menu.ts: eslint(no-restricted-properties)',
        'src/backend/remote/ask.ts: holdfast(child-door)',
        'src/backend/say.ts: eslint(no-console)',
        'src/backend/say.ts: eslint(no-restricted-properties)',
        'src/backend/services/look.ts: holdfast(result-door)',
        'src/backend/services/where.ts: holdfast(joined-door)',
        'src/backend/services/where.ts: holdfast(joined-door)',
        'src/backend/services/where.ts: holdfast(joined-door)',
        'src/backend/services/where.ts: holdfast(joined-door)',
        'src/cli/readAnswers.ts: eslint(no-restricted-imports)',
        'src/core/base/clock.ts: eslint(no-restricted-properties)',
        'src/core/base/clock.ts: eslint(no-restricted-properties)',
        'src/core/base/clock.ts: holdfast(no-clock)',
        'src/core/base/files.ts: holdfast(imports)',
        'src/core/result/tally.ts: import(no-cycle)',
        'src/core/result/word.ts: import(no-cycle)',
        'src/engine/k6/folder.ts: eslint(no-restricted-imports)',
        'src/engine/late.test.ts: holdfast(no-second-try)',
        'src/engine/long.test.ts: holdfast(function-length)',
        'src/engine/pack.ts: eslint(no-restricted-imports)',
        'src/engine/pool.ts: eslint(no-restricted-imports)',
        'src/ui/wizard/Wizard.tsx: holdfast(imports)',
      ]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

async function lint(directory: string): Promise<string[]> {
  const oxlint = join(root, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const ended = await promisify(execFile)(process.execPath, [oxlint, '--format', 'json', 'src', 'electron'], { cwd: directory }).catch(
    (error: unknown) => error,
  );
  const { stdout } = ended as { stdout: string };
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
  return diagnostics.map(({ filename, code }) => `${filename}: ${code}`).toSorted();
}
