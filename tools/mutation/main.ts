// `npm run mutants`: Stryker makes small changes to the core, one at a time, and reports the changes that no test detects.
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import { ROOM_VARIABLE, ROOMS, type Room } from './rooms.ts';

const HELP = `npm run mutants -- [ROOM…] [--file ENDING]… [--sample LINES [--seed NUMBER]]
  ROOM      ${ROOMS.map(({ name }) => name).join(', ')}; without one, all of them
  --file    only files whose path ends like this; may be repeated
  --sample  only this number of lines of each room, drawn at random
  --seed    draws the same lines again
`;

interface Choice {
  readonly endings: readonly string[] | undefined;
  /** Number of lines in the sample; undefined for all lines. */
  readonly sample: number | undefined;
  readonly seed: number;
}

/** Three standard errors of a share that is measured with a sample of 200 changes. */
const MAX_SAMPLING_ERROR = 0.08;
/** Matches a line that contains code. */
const CODE = /^\s*(?!\/|\*|import\b)\S/;

/** Returns a random sample of the lines of code in these files, as ranges for Stryker. */
function getSample(files: readonly string[], count: number, seed: number): string[] {
  const lines = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((text, index) => (CODE.test(text) ? [`${file}:${index + 1}-${index + 1}`] : [])),
  );
  const drawn = lines.map((line, index) => ({ line, at: uniformAt(seed, index) })).toSorted((one, other) => one.at - other.at);
  return drawn.slice(0, count).map(({ line }) => line);
}

async function mutate({ name, files, without, least }: Room, { endings, sample, seed }: Choice): Promise<void> {
  const found = globSync([...files], { exclude: ['**/*.test.ts', '**/*.d.ts', '**/testing/**', ...without] }).toSorted();
  const chosenNames = endings === undefined ? found : found.filter((file) => endings.some((ending) => file.endsWith(ending)));
  if (chosenNames.length === 0) return;
  const minShare = sample === undefined ? least : least - MAX_SAMPLING_ERROR;
  process.env[ROOM_VARIABLE] = name;
  await new Stryker({
    mutate: sample === undefined ? chosenNames : getSample(chosenNames, sample, seed),
    // Changes to texts are excluded, because only the style tests check texts. Code that runs once when its module is loaded is excluded
    // too, because each change to it would need all tests.
    mutator: { excludedMutations: ['StringLiteral'], plugins: [] },
    ignoreStatic: true,
    ignorers: ['exhausted'],
    plugins: ['@stryker-mutator/vitest-runner', resolve(import.meta.dirname, 'exhausted.ts')],
    testRunner: 'vitest',
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 2,
    reporters: ['clear-text', 'progress'],
    clearTextReporter: { logTests: false, reportTests: false },
    thresholds: { high: 100, low: 100 * minShare, break: 100 * minShare },
    tempDirName: '.build/mutants',
    ignorePatterns: ['dist', '.build', 'e2e/artifacts'],
    // Stryker reads tsconfig.json with an API that TypeScript 7 does not have. Vitest does not need the file.
    tsconfigFile: 'none',
  }).runMutationTest();
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    help: { type: 'boolean' },
  },
});
const problems = [
  ...positionals.filter((name) => ROOMS.every((room) => room.name !== name)).map((name) => `No room ${name}.`),
  ...[values.sample ?? '1', values.seed].filter((text) => !/^\d{1,9}$/.test(text)).map((text) => `${text} is no number.`),
];
if (values.help || problems.length > 0) {
  process.stdout.write([...problems, HELP].join('\n'));
  process.exit(problems.length > 0 ? 1 : 0);
}
const sample = values.sample === undefined ? undefined : Number(values.sample);
process.chdir(resolve(import.meta.dirname, '..', '..'));
if (sample !== undefined) process.stdout.write(`The lines are drawn with --seed ${values.seed}.\n`);
for (const room of ROOMS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)))
  await mutate(room, { endings: values.file, sample, seed: Number(values.seed) });
