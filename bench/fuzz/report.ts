import { markdownTable } from '../output/table.ts';
import type { SubjectResult } from './tried.ts';

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
