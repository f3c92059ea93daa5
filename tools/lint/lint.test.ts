import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { judgeImport } from './judgeImport.ts';
import { rules } from './table.ts';

const root = resolve(import.meta.dirname, '..', '..');

describe('what a folder may import', () => {
  it.each([
    ['src/core/plan/parse.ts', 'yaml'],
    ['src/core/plan/parse.ts', '../errors.ts'],
    ['src/contract/api.ts', '#core/plan/schema.ts'],
    ['workers/loadWorker.ts', 'autocannon'],
    ['src/backend/store/open.ts', 'better-sqlite3'],
    ['src/cli/main.ts', '#server/startServer.ts'],
    ['src/backend/services/runs/runService.ts', '#backend/results/resultThread.ts'],
    ['src/backend/results/answers.ts', '#backend/store/store.ts'],
    ['src/ui/wizard/load/Load.tsx', '#ui/components/Button.tsx'],
    ['src/ui/wizard/load/Load.tsx', '../state/answers.ts'],
    ['src/ui/app/App.tsx', '#ui/wizard/Wizard.tsx'],
    ['src/ui/charts/Chart.tsx', 'recharts'],
    ['src/ui/main.tsx', 'react-dom/client'],
    ['electron/backendProcess.ts', '#backend/index.ts'],
    ['src/core/plan/parse.test.ts', 'fast-check'],
    ['src/engine/testing/server.ts', 'node:http'],
  ])('%s may import %s', (file, source) => expect(judgeImport(file, source)).toBeNull());

  it.each([
    ['src/core/plan/parse.ts', 'node:fs'],
    ['src/core/plan/parse.ts', 'autocannon'],
    ['src/core/plan/parse.ts', '#contract/api.ts'],
    ['src/contract/api.ts', '../backend/index.ts'],
    ['src/engine/startEngine.ts', '#backend/store/open.ts'],
    ['src/engine/startEngine.ts', 'better-sqlite3'],
    ['src/backend/index.ts', '#cli/main.ts'],
    ['src/backend/results/answers.ts', '../services/runs/liveView.ts'],
    ['src/backend/store/open.ts', '#backend/results/resultOf.ts'],
    ['src/backend/index.ts', '#workers/loadWorker.ts'],
    ['src/agent/main.ts', '#backend/index.ts'],
    ['src/lab/main.ts', '#contract/api.ts'],
    ['src/ui/wizard/load/Load.tsx', '#backend/index.ts'],
    ['src/ui/wizard/load/Load.tsx', 'node:path'],
    ['src/ui/wizard/load/Load.tsx', 'recharts'],
    ['src/ui/wizard/load/Load.tsx', '#ui/history/History.tsx'],
    ['src/ui/components/Button.tsx', '#ui/wizard/Wizard.tsx'],
    ['src/ui/charts/Chart.tsx', '#ui/live/Live.tsx'],
    ['src/ui/charts/Chart.tsx', '#ui/app/backend.ts'],
    ['electron/main.ts', '#backend/index.ts'],
    ['electron/main.ts', 'ws'],
    ['src/core/plan/parse.ts', './parse.test.ts'],
    ['src/backend/index.ts', './testing/backend.ts'],
    ['workers/drivers/native/load.ts', '../../clock.ts'],
    ['src/core/a.ts', '#nowhere/a.ts'],
    ['src/core/a.test.ts', '../../a.ts'],
  ])('%s may not import %s', (file, source) => expect(judgeImport(file, source)).toEqual(expect.any(String)));

  it('is what docs/architecture.md says', async () => {
    const document = await readFile(join(root, 'docs', 'architecture.md'), 'utf8');
    for (const [folder, rule] of Object.entries(rules)) {
      if (folder === 'src/ui/charts') continue;
      const row = document.split('\n').find((line) => line.startsWith(`| \`${folder}\` `));
      const words = new Set(
        row
          ?.split('|')
          .at(-2)
          ?.match(/[a-z-]+/g),
      );
      const own = Object.keys(rules).map((path) => path.replace('src/', ''));
      const named = own.filter((name) => words.has(name));
      const enforced = [...rule.folders, ...(rule.exceptions ?? []).map(({ imports }) => imports.replaceAll(/[#/]/g, ''))];
      expect({ folder, imports: named.toSorted() }).toEqual({ folder, imports: enforced.toSorted() });
    }
  });
});

describe('the linter', () => {
  it('finds planted violations, and nothing where there are none', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'holdfast-lint-'));
    try {
      await cp(join(root, '.oxlintrc.json'), join(directory, '.oxlintrc.json'));
      await cp(join(root, 'tools', 'lint'), join(directory, 'tools', 'lint'), { recursive: true });
      await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
      const plant = async (file: string, text: string): Promise<void> => {
        await mkdir(dirname(join(directory, file)), { recursive: true });
        await writeFile(join(directory, file), text);
      };
      await plant('src/core/clock.ts', 'export const now = (): number => Date.now() + Math.random() + new Date().getTime();\n');
      await plant('src/core/files.ts', "export { readFile } from 'node:fs';\n");
      await plant('src/ui/wizard/Wizard.tsx', "export const load = () => import('#ui/history/History.tsx');\n");
      await plant(
        'electron/menu.ts',
        "import { ipcMain, shell } from 'electron';\nipcMain.on('x', () => void shell.openExternal('file:///'));\n",
      );
      await plant('src/backend/say.ts', "process.stdout.write('\\u001b[2J');\nconsole.error('x');\n");
      await plant('electron/ipc.ts', "import { ipcMain } from 'electron';\nipcMain.on('x', () => {});\n");
      await plant(
        'src/cli/readAnswers.ts',
        "import { parse, stringify } from 'yaml';\nexport const copy = (text: string): string => stringify(parse(text));\n",
      );
      await plant('src/backend/checks/ask.ts', "import { spawn } from 'node:child_process';\nspawn('sh');\n");
      await plant('src/engine/k6/folder.ts', "import { mkdtempSync } from 'node:fs';\nmkdtempSync('x');\n");
      await plant(
        'src/backend/services/look.ts',
        "import { resultOf } from '../results/resultOf.ts';\nexport { ResultThread } from '../results/resultThread.ts';\nresultOf();\n",
      );
      await plant('src/engine/late.test.ts', "import { it } from 'vitest';\nit('waits', { retry: 3 }, () => {});\n");
      const found = await lint(directory);
      expect(found).toEqual([
        'electron/menu.ts: holdfast(one-door)',
        'electron/menu.ts: holdfast(one-door)',
        'src/backend/checks/ask.ts: holdfast(child-door)',
        'src/backend/say.ts: holdfast(terminal-door)',
        'src/backend/say.ts: holdfast(terminal-door)',
        'src/backend/services/look.ts: holdfast(result-door)',
        'src/cli/readAnswers.ts: holdfast(yaml-door)',
        'src/core/clock.ts: holdfast(pure)',
        'src/core/clock.ts: holdfast(pure)',
        'src/core/clock.ts: holdfast(pure)',
        'src/core/files.ts: holdfast(imports)',
        'src/engine/k6/folder.ts: holdfast(one-door)',
        'src/engine/late.test.ts: holdfast(no-second-try)',
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
