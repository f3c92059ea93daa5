import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { FUZZ_USAGE, parseFuzzOptions, type FuzzOptions } from './options.ts';
import { fuzzReport } from './report.ts';
import type { Subject } from './subject.ts';
import { SUBJECTS, subjectsNamed } from './subjects/registry.ts';
import { triedSchema, type Tried } from './tried.ts';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
const DEFAULT_INPUTS = 1_000_000;
/** An input that takes longer hangs. */
const MOST_SECONDS_FOR_ONE = 20;
const HEAP_MB = 2_048;

/** Tries changed inputs on every reader of what others wrote. Exit code 1: one crashed, hung, or did not do what it promises. */
export async function benchFuzz(parameters: readonly string[], signal: AbortSignal, say: (line: string) => void): Promise<void> {
  const options = parseFuzzOptions(
    parameters,
    SUBJECTS.map(({ name }) => name),
  );
  if (options.help) return console.log(FUZZ_USAGE);
  const startedAt = new Date().toISOString();
  const name = join(options.results, `fuzz-${startedAt.replaceAll(/[:.]/g, '-')}`);
  await mkdir(options.results, { recursive: true });
  const all: Tried[] = [];
  for (const subject of subjectsNamed(options.only)) {
    const tried = await tryInProcess(subject, options, `${name}.hang`, signal);
    all.push(tried);
    say(
      `${tried.subject}: ${tried.inputs} inputs in ${tried.seconds.toFixed(0)} s${tried.found.map(({ kind, message }) => `\n  ${kind}: ${message}`).join('')}`,
    );
    await writeFile(`${name}.json`, `${JSON.stringify({ startedAt, seed: options.seed, tried: all }, null, 2)}\n`);
  }
  const report = fuzzReport(all, options.seed);
  await writeFile(`${name}.md`, `${report}\n`);
  console.log(report);
  say(`\nWritten to ${name}.md and .json, which holds the inputs`);
  if (all.some(({ found }) => found.length > 0)) process.exitCode = 1;
}

async function tryInProcess(subject: Subject, options: FuzzOptions, hangFile: string, signal: AbortSignal): Promise<Tried> {
  const settings = {
    subject: subject.name,
    inputs: options.count ?? subject.inputs ?? DEFAULT_INPUTS,
    seed: options.seed,
    seconds: options.seconds,
    isGuided: true,
    hangFile,
    mostSeconds: MOST_SECONDS_FOR_ONE,
  };
  const flags = ['--expose-gc', `--max-old-space-size=${HEAP_MB}`];
  const child = spawn(process.execPath, [...flags, CHILD, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'pipe'], signal });
  const [ended, out, err] = await Promise.all([once(child, 'close'), textOf(child.stdout), textOf(child.stderr)]);
  const [code, killedBy] = z.tuple([z.number().nullable(), z.string().nullable()]).parse(ended);
  if (code === 0) return triedSchema.parse(JSON.parse(out));
  const hung = await readFile(hangFile, 'utf8').catch(() => null);
  await rm(hangFile, { force: true });
  const fault =
    hung === null
      ? {
          kind: 'died' as const,
          message: `the process ended (${killedBy ?? code}): ${err.slice(-500).replaceAll(/\s+/g, ' ')}`,
          input: '',
          number: 0,
        }
      : { kind: 'hang' as const, message: `an input took more than ${MOST_SECONDS_FOR_ONE} s`, input: hung, number: 0 };
  return {
    subject: subject.name,
    inputs: 0,
    long: 0,
    seconds: 0,
    learned: 0,
    slowest: { msPerKb: 0, ms: 0, letters: 0 },
    memoryRatio: 0,
    found: [fault],
  };
}
