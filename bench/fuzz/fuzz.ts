import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measurement } from '../commands.ts';
import { tryInProcess } from './inProcess.ts';
import { SUBJECTS, subjectsNamed } from './subjects/registry.ts';
import type { SubjectResult } from './tried.ts';
import { markdownTable } from '../output/table.ts';
import { integer, names, type OptionValues, readOptions, RESULTS } from '../running/readOptions.ts';

export const OPTIONS = {
  count: integer('inputs for each parser (1,000,000; framer and window codec 10,000,000; presets 200,000)', null, 1_000_000_000),
  only: names(
    'parsers',
    SUBJECTS.map(({ name }) => name),
  ),
  seed: integer('seed of random values', 1, 2_147_483_647),
  seconds: integer('maximum for each parser', 3_600, 86_400),
  results: RESULTS,
};

/**
 * Returns the measurement that tries mutated inputs on every parser of foreign data. Exit code 1 means that a parser crashed, hung or broke
 * a promise.
 */
export function readFuzz(parameters: readonly string[]): Measurement {
  const options = readOptions('fuzz', OPTIONS, parameters);
  if (typeof options === 'string') return () => console.log(options);
  return (signal, print) => fuzz(options, signal, print);
}

async function fuzz(options: OptionValues<typeof OPTIONS>, signal: AbortSignal, print: (line: string) => void): Promise<void> {
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

/** Returns the report: a table of all subjects, and the findings with their inputs. */
export function fuzzReport(all: readonly SubjectResult[], seed: number): string {
  const rows = all.map(({ subject, inputs, long, seconds, learned, slowest, memoryRatio, found }) => [
    subject,
    inputs.toLocaleString('en'),
    String(long),
    seconds.toFixed(0),
    String(learned),
    `${slowest.msPerKb.toFixed(2)} (${slowest.ms.toFixed(0)} ms for ${slowest.letters})`,
    memoryRatio.toFixed(1),
    String(found.length),
  ]);
  const sum = all.reduce((total, { inputs }) => total + inputs, 0);
  const faults = all.flatMap(({ subject, found }) => found.map((fault) => ({ subject, ...fault })));
  return [
    `# Fuzzing: ${sum.toLocaleString('en')} inputs, seed ${seed}, ${faults.length} faults`,
    '',
    markdownTable(['parser', 'inputs', 'long', 'seconds', 'learned', 'slowest, ms/kB', 'memory ratio', 'faults'], rows),
    ...all.flatMap(({ subject, diedAtStart }) =>
      diedAtStart === 0 ? [] : [`\n**${subject}**: its process died ${diedAtStart} times before its first input, and was started again.`],
    ),
    ...faults.map(
      ({ subject, kind, message, input, number }) =>
        `\n**${subject}**, input ${number}, ${kind}: ${message}\n\n    ${JSON.stringify(input.slice(0, 500))}`,
    ),
  ].join('\n');
}
