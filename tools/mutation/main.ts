// `npm run mutants`: makes small changes in the core, one at a time, and counts those that its tests do not notice.
import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { z } from 'zod';
import { ROOMS, type Room } from './rooms.ts';

const root = resolve(import.meta.dirname, '..', '..');
const HELP = `npm run mutants -- [ROOM…] [--file PATTERN]
  ROOM      ${ROOMS.map(({ name }) => name).join(', ')}; without one, all of them
  --file    only files whose path holds this
`;

const NOTICED: ReadonlySet<string> = new Set(['Killed', 'Timeout', 'RuntimeError']);
const MISSED: ReadonlySet<string> = new Set(['Survived', 'NoCoverage']);

const reportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().optional(),
          status: z.string(),
          location: z.object({
            start: z.object({ line: z.number(), column: z.number() }),
            end: z.object({ line: z.number(), column: z.number() }),
          }),
        }),
      ),
    }),
  ),
});
type Report = z.infer<typeof reportSchema>;

/** Share of the changes that were noticed; null where there was none. */
function shareOf(mutants: readonly { readonly status: string }[]): number | null {
  const noticed = mutants.filter(({ status }) => NOTICED.has(status)).length;
  const missed = mutants.filter(({ status }) => MISSED.has(status)).length;
  return noticed + missed === 0 ? null : noticed / (noticed + missed);
}

async function mutate({ name, files, tests }: Room): Promise<Report> {
  process.env['MUTATED_TESTS'] = tests.join(' ');
  const folder = resolve(root, '.build', 'mutants');
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/${name}.json`;
  await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/*', resolve(import.meta.dirname, 'exhaustive.ts')],
    ignorers: ['exhaustive'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts' },
    coverageAnalysis: 'perTest',
    mutate: [...files, '!**/*.test.ts', '!**/testing/**'],
    // Words are held by the tests of style, and a change of one of them by nobody else on purpose.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: ['/.build', '/dist', '/e2e/artifacts', '/bench/results', '/docs/images'],
    ignoreStatic: true,
    // The compiler of TypeScript 7 has no interface in JavaScript; types are erased by Vite.
    tsconfigFile: 'none.json',
    tempDirName: '.build/mutants/sandbox',
    concurrency: 2,
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 30,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: file },
    // What neither a test nor the code has changed since is not played again.
    incremental: true,
    incrementalFile: `${folder}/${name}.known.json`,
    allowConsoleColors: false,
  }).runMutationTest();
  return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** What nobody noticed, a line each: where, and what it was changed into. */
function survivors({ files }: Report): string[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants
      .filter(({ status }) => MISSED.has(status))
      .map(({ location: { start, end }, replacement = '', mutatorName }) => {
        const first = lines[start.line - 1] ?? '';
        const was = start.line === end.line ? first.slice(start.column - 1, end.column - 1) : `${first.slice(start.column - 1)} …`;
        return `${file}:${start.line} ${mutatorName}: ${was} → ${replacement.replaceAll(/\s+/g, ' ').slice(0, 80)}`;
      });
  });
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { file: { type: 'string' }, help: { type: 'boolean' } } });
const unknown = positionals.filter((name) => ROOMS.every((room) => room.name !== name));
if (values.help || unknown.length > 0) {
  process.stdout.write(unknown.length > 0 ? `No room ${unknown.join(', ')}.\n${HELP}` : HELP);
  process.exit(unknown.length > 0 ? 1 : 0);
}
const chosen = ROOMS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
for (const room of chosen) {
  const report = await mutate(values.file === undefined ? room : { ...room, files: [`src/core/**/${values.file}`] });
  process.stdout.write(`${survivors(report).join('\n')}\n`);
  for (const [file, { mutants }] of Object.entries(report.files)) {
    const share = shareOf(mutants);
    if (share !== null)
      process.stdout.write(`${(share * 100).toFixed(0).padStart(4)} % of ${String(mutants.length).padStart(4)}  ${file}\n`);
  }
  const share = shareOf(Object.values(report.files).flatMap(({ mutants }) => mutants)) ?? 1;
  process.stdout.write(`${room.name}: ${(share * 100).toFixed(1)} % noticed, at least ${room.least * 100} % wanted\n`);
  if (share < room.least) process.exitCode = 1;
}
