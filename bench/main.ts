import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAnswersOptions } from './answers/options.ts';
import { parseHostileOptions } from './hostile/options.ts';
import { outcomeOf } from './figures/requirement.ts';
import { parseOptions, USAGE, type BenchOptions, type PartName } from './options.ts';
import { thisMachine } from './output/machine.ts';
import { foundLines, markdownReport, missingLines, publishedReport, type BenchReport } from './output/report.ts';
import { arrivals } from './parts/arrivals.ts';
import type { Part, PartResult } from './parts/part.ts';
import { speed } from './parts/speed.ts';
import { times } from './parts/times.ts';
import { coresFor } from './running/cores.ts';
import { findSubjects } from './running/findSubjects.ts';
import { othersShare } from './running/othersShare.ts';
import { SUBJECTS } from './subjects/registry.ts';

/**
 * Measures Holdfast beside whichever other load generators are here; the campaigns with names of their own hold it against servers of which the truth is known, or which mean it harm. Exit code 1: something required was missed; 2: it could not be measured.
 */
const PARTS: Readonly<Record<PartName, Part>> = { speed, times, arrivals };
const PUBLISHED = fileURLToPath(new URL('../docs/bench.md', import.meta.url));
const say = (line: string): void => console.error(line);

async function bench(options: BenchOptions, signal: AbortSignal): Promise<void> {
  if (options.help) return console.log(USAGE);
  const wanted = SUBJECTS.filter(({ id }) => options.subjects?.includes(id) ?? true);
  const { found, missing } = await findSubjects(wanted, options.tools, process.env['PATH'] ?? '');
  if (options.list) return console.log([foundLines(found), missingLines(missing)].filter((lines) => lines !== '').join('\n'));
  if (missing.length > 0) say(missingLines(missing));

  const startedAt = new Date().toISOString();
  const cores = coresFor(options.cores, say);
  const parts: PartResult[] = [];
  const othersShares: number[] = [];
  for (const name of options.parts) {
    const tell = (line: string): void => say(`${name}: ${line}`);
    othersShares.push(...[await othersShare()].filter((share) => share !== null));
    parts.push(await PARTS[name]({ options, found, cores, signal, tell }));
  }
  const report: BenchReport = { startedAt, machine: thisMachine(), cores, rounds: options.rounds, othersShares, missing, parts };
  const markdown = markdownReport(report);
  const name = join(options.results, startedAt.replaceAll(/[:.]/g, '-'));
  await mkdir(options.results, { recursive: true });
  await writeFile(`${name}.md`, `${markdown}\n`);
  await writeFile(`${name}.json`, `${JSON.stringify({ ...report, options: { ...options, tools: [...options.tools.keys()] } }, null, 2)}\n`);
  if (options.publish) {
    // A path of this machine would be in it.
    const parameters = process.argv
      .slice(2)
      .filter((word, index, all) => word !== '--tool' && all[index - 1] !== '--tool' && !word.startsWith('--tool='));
    await writeFile(PUBLISHED, `${publishedReport(report, found, parameters)}\n`);
    say(`Published in ${PUBLISHED}`);
  }
  console.log(markdown);
  say(`\nWritten to ${name}.md and .json`);
  if (parts.some(({ requirements }) => requirements.some((each) => outcomeOf(each) === 'missed'))) process.exitCode = 1;
}

/** What has options of its own. Each is loaded only when it is wanted: they open a whole app. */
type Campaign = (parameters: readonly string[], signal: AbortSignal) => Promise<void>;
const CAMPAIGNS: ReadonlyMap<string, Campaign> = new Map<string, Campaign>([
  [
    'answers',
    async (parameters, signal) => (await import('./answers/answers.ts')).benchAnswers(parseAnswersOptions(parameters), signal, say),
  ],
  ['coverage', async (parameters, signal) => (await import('./coverage/coverage.ts')).benchCoverage(parameters, signal, say)],
  ['fuzz', async (parameters, signal) => (await import('./fuzz/fuzz.ts')).benchFuzz(parameters, signal, say)],
  [
    'hostile',
    async (parameters, signal) => (await import('./hostile/hostile.ts')).benchHostile(parseHostileOptions(parameters), signal, say),
  ],
  ['kills', async (parameters, signal) => (await import('./kills/kills.ts')).benchKills(parameters, signal, say)],
  ['results', async (parameters, signal) => (await import('./results.ts')).benchResults(parameters, signal, say)],
]);

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
try {
  if (process.platform !== 'linux') throw new Error('The bench reads /proc and pins with taskset: it runs on Linux.');
  const [first, ...others] = process.argv.slice(2);
  const campaign = CAMPAIGNS.get(first ?? '');
  if (campaign !== undefined) await campaign(others, stopping.signal);
  else {
    const ids = SUBJECTS.map(({ id }) => id);
    await bench(parseOptions(process.argv.slice(2), ids), stopping.signal);
  }
} catch (error) {
  say(stopping.signal.aborted ? 'Stopped.' : error instanceof Error ? error.message : String(error));
  process.exitCode = stopping.signal.aborted ? 130 : 2;
}
