import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Measurement } from './commands.ts';
import { decideOutcome } from './figures/requirement.ts';
import { type BenchOptions, OPTIONS, PART_NAMES, type PartName } from './options.ts';
import { describeMachine } from './output/machine.ts';
import { foundLines, markdownReport, missingLines, publishedReport, type BenchReport } from './output/report.ts';
import { arrivals } from './parts/arrivals.ts';
import { http2 } from './parts/http2.ts';
import { https } from './parts/https.ts';
import type { Part, PartResult } from './parts/part.ts';
import { speed } from './parts/speed.ts';
import { times } from './parts/times.ts';
import { coresFor } from './running/cores.ts';
import { findSubjects } from './running/findSubjects.ts';
import { measureOtherLoad } from './running/othersShare.ts';
import { readOptions } from './running/readOptions.ts';
import { SUBJECTS } from './subjects/registry.ts';

const PARTS: Readonly<Record<PartName, Part>> = { speed, https, http2, times, arrivals };
const PUBLISHED_REPORT = fileURLToPath(new URL('../docs/bench.md', import.meta.url));

/** Returns the measurement that compares Holdfast with the other load generators that are installed. */
export function readBeside(parameters: readonly string[]): Measurement {
  const options = readOptions('', OPTIONS, parameters, PART_NAMES);
  if (typeof options === 'string') return () => console.log(`${options}\n\nbench/README.md lists the campaigns. Each has its own --help.`);
  return (signal, print) => measureBeside(options, parameters, signal, print);
}

async function measureBeside(
  options: BenchOptions,
  parameters: readonly string[],
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const wantedSubjects = SUBJECTS.filter(({ id }) => options.subjects.includes(id));
  const { found, missing } = await findSubjects(wantedSubjects, options.tool, process.env['PATH'] ?? '');
  if (options.list) return console.log([foundLines(found), missingLines(missing)].filter((lines) => lines !== '').join('\n'));
  if (missing.length > 0) print(missingLines(missing));

  const startedAt = new Date().toISOString();
  const cores = coresFor(options.cores, print);
  const parts: PartResult[] = [];
  const othersShares: number[] = [];
  for (const name of options.parts) {
    const notify = (line: string): void => print(`${name}: ${line}`);
    othersShares.push(...[await measureOtherLoad()].filter((share) => share !== null));
    parts.push(await PARTS[name]({ options, found, cores, signal, notify }));
  }
  const report: BenchReport = { startedAt, machine: describeMachine(), cores, rounds: options.rounds, othersShares, missing, parts };
  const markdown = markdownReport(report);
  const name = join(options.results, startedAt.replaceAll(/[:.]/g, '-'));
  await mkdir(options.results, { recursive: true });
  await writeFile(`${name}.md`, `${markdown}\n`);
  await writeFile(`${name}.json`, `${JSON.stringify({ ...report, options: { ...options, tools: [...options.tool.keys()] } }, null, 2)}\n`);
  if (options.publish) {
    // The command in the report must not contain paths of this machine.
    const reportedTexts = parameters.filter(
      (word, index, all) => word !== '--tool' && all[index - 1] !== '--tool' && !word.startsWith('--tool='),
    );
    await writeFile(PUBLISHED_REPORT, `${publishedReport(report, found, reportedTexts)}\n`);
    print(`Published in ${PUBLISHED_REPORT}`);
  }
  console.log(markdown);
  print(`\nWritten to ${name}.md and .json`);
  if (parts.some(({ requirements }) => requirements.some((each) => decideOutcome(each) === 'missed'))) process.exitCode = 1;
}
