// `npm run mutants`: makes small changes in the core, one at a time, and counts those that no test detects.
import { randomInt } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle } from './bundle.ts';
import { instrument, type Mutant } from './instrument.ts';
import { type Fate, play } from './play.ts';
import { MANY_RUN_TESTS, ROOMS, type Room } from './rooms.ts';
import { intervalOf, intervalWords, sampleOf } from './sample.ts';

const root = resolve(import.meta.dirname, '..', '..');
const HELP = `npm run mutants -- [ROOM…] [--file ENDING]… [--sample NUMBER [--seed NUMBER]]
  ROOM      ${ROOMS.map(({ name }) => name).join(', ')}; without one, all of them
  --file    only files whose path ends like this; may be repeated
  --sample  so many changes of each room by chance: the share of all lies in the interval that is printed
  --seed    draws the same ones again
`;

interface Choice {
  readonly endings: readonly string[] | undefined;
  /** Number of changes; undefined for all. */
  readonly sample: number | undefined;
  readonly seed: number;
}

interface Played {
  readonly mutant: Mutant;
  readonly fate: Fate;
}

function filesOf(patterns: readonly string[], exclude: readonly string[]): string[] {
  return globSync([...patterns], { cwd: root, exclude: [...exclude] })
    .map((file) => file.split(sep).join('/'))
    .toSorted();
}

async function mutate({ name, files, without, tests }: Room, { endings, sample, seed }: Choice): Promise<Played[]> {
  const found = filesOf(files, ['**/*.test.ts', '**/*.d.ts', '**/testing/**', ...without]);
  const { mutants: all, codes } = await instrument(
    root,
    endings === undefined ? found : found.filter((file) => endings.some((one) => file.endsWith(one))),
  );
  const possible = all.filter(({ status }) => status === undefined);
  const mutants = sample === undefined ? all : sampleOf(possible, sample, seed);
  const chosen = filesOf(tests, ['**/*.nightly.test.ts', `**/{${MANY_RUN_TESTS.join(',')}}.test.ts`]);
  const folder = resolve(root, '.build', 'mutants');
  mkdirSync(folder, { recursive: true });
  const bundleFile = `${folder}/${name}.cjs`;
  writeFileSync(bundleFile, await bundle(root, chosen, codes));
  const changes = 1 + Math.max(0, ...all.map(({ id }) => Number(id)));
  const fates = await play({ bundleFile, files: chosen.map((file) => resolve(root, file)), changes }, mutants, (done, all) => {
    if (done % 100 === 0 || done === all) process.stderr.write(`${name}: ${done} of ${all} changes\n`);
  });
  return mutants.map((mutant) => ({ mutant, fate: fates.get(mutant.id) ?? 'left out' }));
}

/** Returns the share of detected changes; null without any. */
function shareOf(played: readonly Played[]): number | null {
  const counted = played.filter(({ fate }) => fate !== 'left out');
  return counted.length === 0 ? null : counted.filter(({ fate }) => fate === 'noticed' || fate === 'endless').length / counted.length;
}

const MARKS: Partial<Record<Fate, string>> = { unreached: ' (no test comes here)', endless: ' (counts as noticed: its tests do not end)' };

/** Returns a line for an undetected change: place and replacement. */
function lineOf({ mutant: { fileName, location, replacement, mutatorName }, fate }: Played): string {
  const { start, end } = location;
  const first = readFileSync(fileName, 'utf8').split('\n')[start.line] ?? '';
  const was = start.line === end.line ? first.slice(start.column, end.column) : `${first.slice(start.column)} …`;
  const made = replacement.replaceAll(/\s+/g, ' ').slice(0, 80);
  return `${relative(root, fileName)}:${start.line + 1} ${mutatorName}${MARKS[fate] ?? ''}: ${was} → ${made}`;
}

function report({ name, least }: Room, played: readonly Played[], { sample, seed }: Choice): void {
  for (const one of played)
    if (one.fate !== 'noticed' && one.fate !== 'left out')
      process.stdout.write(`${lineOf(one)}
`);
  for (const [file, ofFile] of Map.groupBy(played, ({ mutant }) => mutant.fileName)) {
    const share = shareOf(ofFile);
    if (share === null) continue;
    const count = ofFile.filter(({ fate }) => fate !== 'left out').length;
    process.stdout.write(`${(share * 100).toFixed(0).padStart(4)} % of ${String(count).padStart(4)}  ${relative(root, file)}\n`);
  }
  const share = shareOf(played) ?? 1;
  const count = played.filter(({ fate }) => fate !== 'left out').length;
  const range = sample === undefined ? '' : ` (of all: ${intervalWords(share * count, count)}; --seed ${seed})`;
  process.stdout.write(`${name}: ${(share * 100).toFixed(1)} % of ${count} changes noticed${range}, at least ${least * 100} % wanted\n`);
  // A sample fails only if even the upper bound of its confidence interval is too low.
  const most = sample === undefined ? share : intervalOf(share * count, count).high;
  if (most < least) process.exitCode = 1;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const unknown = positionals.filter((name) => ROOMS.every((room) => room.name !== name)).map((name) => `No room ${name}.`);
const unread = [values.sample, values.seed].flatMap((text) =>
  text === undefined || /^\d{1,9}$/.test(text) ? [] : [`${text} is no number.`],
);
const problems = [...unknown, ...unread];
if (values.help || problems.length > 0) {
  process.stdout.write([...problems, HELP].join('\n'));
  process.exit(problems.length > 0 ? 1 : 0);
}
const choice: Choice = {
  endings: values.file,
  sample: values.sample === undefined ? undefined : Number(values.sample),
  seed: values.seed === undefined ? randomInt(1_000_000) : Number(values.seed),
};
for (const room of ROOMS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)))
  report(room, await mutate(room, choice), choice);
