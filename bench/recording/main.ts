import { evaluate, type Line } from './evaluate.ts';
import { SUBJECTS } from './subjects.ts';

/**
 * Records journeys at applications with a real browser, makes plans from them automatically, and compares the plans with what the servers
 * know: `node bench/recording/main.ts [WORD …]`. A word selects applications by name.
 */

const MIN_FOUND_SHARE = 0.95;

const words = process.argv.slice(2).map((word) => word.toLowerCase());
const lines: Line[] = [];
for (const subject of SUBJECTS) {
  if (words.length > 0 && !words.some((word) => subject.name.toLowerCase().includes(word))) continue;
  for (const journey of Object.keys(subject.journeys)) {
    const line = await evaluate(subject, journey).catch((cause: unknown) => {
      console.log(
        `${subject.name}, ${journey}: ${cause instanceof Error ? `${cause.stack ?? cause.message} ${'data' in cause ? JSON.stringify(cause.data) : ''}` : String(cause)}`,
      );
      return null;
    });
    if (line === null) {
      process.exitCode = 1;
      continue;
    }
    lines.push(line);
    const { found, dynamic, wrong: wrongValues, departed: deviatingSteps, rounds, isSettled, missed: missedValues, steps } = line;
    console.log(
      `| ${[subject.name, journey, steps.length, `${found} of ${dynamic}`, wrongValues.length, deviatingSteps.length === 0 ? 'yes' : 'no', `${rounds}${isSettled ? '' : ' (not settled)'}`].join(' | ')} |`,
    );
    for (const text of missedValues) console.log(`    missed: ${text}`);
    for (const text of wrongValues) console.log(`    wrong: ${text}`);
    for (const text of deviatingSteps) console.log(`    departed: ${text}`);
  }
}
const sum = (of: (line: Line) => number): number => lines.reduce((total, line) => total + of(line), 0);
const [dynamic, found, wrongValues] = [sum((line) => line.dynamic), sum((line) => line.found), sum((line) => line.wrong.length)];
const passed = lines.filter(({ departed: deviatingSteps }) => deviatingSteps.length === 0).length;
console.log(
  `${found} of ${dynamic} dynamic values captured (${((100 * found) / Math.max(1, dynamic)).toFixed(1)} %), ${wrongValues} captured that are not dynamic, ${passed} of ${lines.length} plans passed.`,
);
if (found < MIN_FOUND_SHARE * dynamic || wrongValues > 0 || passed < lines.length) process.exitCode = 1;
