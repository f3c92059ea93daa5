import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measurement } from '../commands.ts';
import { tryInProcess } from './inProcess.ts';
import { FUZZ_USAGE, parseFuzzOptions, type FuzzOptions } from './options.ts';
import { fuzzReport } from './report.ts';
import { SUBJECTS, subjectsNamed } from './subjects/registry.ts';
import type { SubjectResult } from './tried.ts';

/**
 * Returns the measurement that tries mutated inputs on every parser of foreign data. Exit code 1 means that a parser crashed, hung or broke
 * a promise.
 */
export function readFuzz(parameters: readonly string[]): Measurement {
  const options = parseFuzzOptions(
    parameters,
    SUBJECTS.map(({ name }) => name),
  );
  return (signal, print) => fuzz(options, signal, print);
}

async function fuzz(options: FuzzOptions, signal: AbortSignal, print: (line: string) => void): Promise<void> {
  if (options.help) return console.log(FUZZ_USAGE);
  const startedAt = new Date().toISOString();
  const name = join(options.results, `fuzz-${startedAt.replaceAll(/[:.]/g, '-')}`);
  await mkdir(options.results, { recursive: true });
  const all: SubjectResult[] = [];
  for (const subject of subjectsNamed(options.only)) {
    const tried = await tryInProcess(subject, { ...options, hangFile: `${name}.hang`, signal });
    all.push(tried);
    print(
      `${tried.subject}: ${tried.inputs} inputs in ${tried.seconds.toFixed(0)} s${tried.found.map(({ kind, message }) => `\n  ${kind}: ${message}`).join('')}`,
    );
    await writeFile(`${name}.json`, `${JSON.stringify({ startedAt, seed: options.seed, tried: all }, null, 2)}\n`);
  }
  const report = fuzzReport(all, options.seed);
  await writeFile(`${name}.md`, `${report}\n`);
  console.log(report);
  print(`\nWritten to ${name}.md and .json, which holds the inputs`);
  if (all.some(({ found }) => found.length > 0)) process.exitCode = 1;
}
