import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..', '..');
/** Time limit, long because the compiler reads all sources. */
const timeout = 120_000;

function findIn(directory: string, projects: readonly string[] = []): Promise<string[]> {
  return new Promise((settle, reject) => {
    const args = [join(root, 'tools', 'lint', 'foreignKeys.ts'), ...projects];
    execFile(process.execPath, args, { cwd: directory }, (error, stdout, stderr) => {
      if (error !== null && error.code !== 1) reject(error);
      else if (error !== null && stdout === '') reject(new Error(stderr));
      else settle(stdout.split('\n').filter((line) => line !== ''));
    });
  });
}

it('no record is accessed by a foreign name outside src/core/base/ownMembers.ts', { timeout }, async () =>
  expect(await findIn(root)).toEqual([]),
);

const SOURCE = `
interface Count { answered: number }
interface Cell { servers: Record<string, Count>; outcomes: Partial<Record<'ok' | 'reset', number>>; list: number[] }
export function merge(into: Cell, from: Cell, words: string, outcome: 'ok' | 'reset', index: number): unknown {
  for (const [name, count] of Object.entries(from.servers)) (into.servers[name] ??= { answered: 0 }).answered += count.answered;
  into.outcomes[outcome] = (into.outcomes[outcome] ?? 0) + 1;
  into.list[index] = words.charCodeAt(index) + words[index]!.length;
  delete into.servers[words];
  Object.assign(into.servers, from.servers);
  Object.assign(into, { list: [] });
  return words in into.servers ? from.servers?.[\`\${words}!\`] : into.servers['front'];
}
`;

it('the check of foreign names finds only names that are known at run time', { timeout }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-keys-'));
  try {
    const writeSource = async (file: string, text: string): Promise<void> => {
      await mkdir(dirname(join(directory, file)), { recursive: true });
      await writeFile(join(directory, file), text);
    };
    await writeSource('src/core/tsconfig.json', JSON.stringify({ compilerOptions: { strict: true }, include: ['*.ts'] }));
    await writeSource('src/core/merge.ts', SOURCE);
    await writeSource(
      'src/core/base/ownMembers.ts',
      'export const get = (record: Record<string, string>, name: string) => record[name];\n',
    );
    expect(await findIn(directory, ['src/core/tsconfig.json'])).toEqual([
      'src/core/merge.ts:5: into.servers[name]',
      'src/core/merge.ts:9: Object.assign(into.servers, from.servers)',
      'src/core/merge.ts:11: words in into.servers',
      'src/core/merge.ts:11: from.servers?.[`${words}!`]',
    ]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
