import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from '#tools/launch/build.mjs';
import { Dice } from '../conclusions/dice.ts';
import { examine, type Findings } from './examine.ts';
import type { Measurement } from '../commands.ts';
import { agent, backend, practiceServer } from './places/backend.ts';
import { clock } from './places/clock.ts';
import { commandLine, worker } from './places/commandLine.ts';
import { failingDisk, fullDisk } from './places/disk.ts';
import type { CrashPoint } from './places/place.ts';
import { fold, migration } from './places/store.ts';
import { suspend } from './places/suspend.ts';
import { startTarget, type LoggingTarget } from './target.ts';
import { Trial } from './trial.ts';
import { formatFigure, markdownTable } from '../output/table.ts';
import { integer, names, type OptionValues, readOptions, RESULTS } from '../running/readOptions.ts';

/** A kill with its findings. */
export interface TrialReport extends Findings {
  readonly place: string;
  readonly where: string;
  /** Number of the trial. With it and the seed, the trial can be reproduced. */
  readonly trial: number;
}

interface KillsReport {
  readonly startedAt: string;
  readonly seed: number;
  readonly struck: readonly TrialReport[];
  /** Crash points that are impossible on this machine, each with the reason. */
  readonly missing: readonly { readonly place: string; readonly why: string }[];
}

export const isRecovered = ({ problems }: Pick<Findings, 'problems'>): boolean => problems.length === 0;

/** Returns a table of the kills, and everything that Holdfast did not recover. */
export function makeMarkdown({ startedAt, seed, struck, missing }: KillsReport): string {
  const rows = new Map<string, TrialReport[]>();
  for (const one of [...struck].sort((a, b) => a.place.localeCompare(b.place) || a.where.localeCompare(b.where))) {
    const row = `${one.place}\0${one.where}`;
    rows.set(row, [...(rows.get(row) ?? []), one]);
  }
  const bad = struck.filter((one) => !isRecovered(one));
  return [
    `# Kills of ${startedAt}`,
    `${struck.length - bad.length} of ${struck.length} recovered. Seed ${seed}.`,
    markdownTable(
      ['what', 'where', 'times', 'recovered', 'most lost, s', 'out of balance', 'left-over processes'],
      [...[...rows.values()].map((those) => rowOf(those)), rowOf(struck, 'all', '')],
    ),
    ...missing.map(({ place, why }) => `Not tried: ${place}. ${why}`),
    ...bad.map(({ trial, place, where, problems }) => `- Trial ${trial}, ${place}, ${where}: ${problems.join('; ')}`),
  ].join('\n\n');
}

function rowOf(struck: readonly TrialReport[], place = struck[0]?.place ?? '', where = struck[0]?.where ?? ''): string[] {
  const lost = struck.flatMap(({ lostSeconds }) => lostSeconds ?? []);
  const sumOf = (of: (one: TrialReport) => number): string => String(struck.reduce((sum, one) => sum + of(one), 0));
  return [
    place,
    where,
    String(struck.length),
    String(struck.filter(isRecovered).length),
    formatFigure(lost.length === 0 ? null : Math.max(...lost), 1),
    sumOf(({ outOfBalance }) => outOfBalance),
    sumOf(({ leftOver }) => leftOver),
  ];
}

const PLACES: readonly CrashPoint[] = [
  commandLine,
  backend,
  worker,
  agent,
  practiceServer,
  fold,
  migration,
  fullDisk,
  failingDisk,
  clock,
  suspend,
];
const PROGRESS_INTERVAL = 25;
const MAX_SEED = 4_294_967_295;
export const OPTIONS = {
  count: integer('number of kills', 1_000, 100_000),
  seed: integer('seed, to repeat a draw; random by default', null, MAX_SEED),
  only: names(
    'places',
    PLACES.map(({ name }) => name),
  ),
  atOnce: integer('number of simultaneous kills', availableParallelism(), 64),
  results: RESULTS,
};
type KillsOptions = OptionValues<typeof OPTIONS>;

/**
 * Returns the measurement that kills Holdfast in many ways and checks what its next start finds. Exit code 1 means that something was not
 * recovered.
 */
export function readKills(parameters: readonly string[]): Measurement {
  const options = readOptions('kills', OPTIONS, parameters);
  if (typeof options === 'string') return () => console.log(options);
  return (signal, print) => kill(options, signal, print);
}

async function kill(options: KillsOptions, signal: AbortSignal, print: (line: string) => void): Promise<void> {
  const startedAt = new Date().toISOString();
  const report = { startedAt, ...(await runTrials(options, signal, print)) };
  const markdown = makeMarkdown(report);
  const name = join(options.results, `kills-${startedAt.replaceAll(/[:.]/g, '-')}`);
  await mkdir(options.results, { recursive: true });
  await writeFile(`${name}.md`, `${markdown}\n`);
  await writeFile(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
  console.log(markdown);
  print(`\nWritten to ${name}.md and .json`);
  if (signal.aborted) throw new Error('Stopped.');
  if (!report.struck.every(isRecovered)) process.exitCode = 1;
}

async function runTrials(
  options: KillsOptions,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<Omit<KillsReport, 'startedAt'>> {
  await ensureBuild(fileURLToPath(new URL('../../', import.meta.url)));
  const seed = options.seed ?? Math.floor(Math.random() * MAX_SEED) + 1;
  const wantedCrashPoints = PLACES.filter(({ name }) => options.only.includes(name));
  const missing = wantedCrashPoints.flatMap((place) => {
    const why = place.missing();
    return why === null ? [] : [{ place: place.name, why }];
  });
  const places = listTurns(wantedCrashPoints.filter(({ name }) => !missing.some(({ place }) => place === name)));
  for (const { place, why } of missing) print(`Not tried: ${place}. ${why}`);
  const target = await startTarget();
  const struck: TrialReport[] = [];
  let next = 0;
  const strikeRepeatedly = async (): Promise<void> => {
    while (next < options.count && !signal.aborted && places.length > 0) {
      const number = (next += 1);
      const place = places[(number - 1) % places.length];
      if (place === undefined) return;
      const one = await runTrial(place, number, seed, target);
      // Ctrl-C in a terminal also stops the child processes, so their findings are not used.
      if (signal.aborted) return;
      struck.push(one);
      if (!isRecovered(one)) print(`Trial ${number}, ${one.place}, ${one.where}: ${one.problems.join('; ')}`);
      if (struck.length % PROGRESS_INTERVAL === 0) print(`${struck.length} of ${options.count}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: options.atOnce }, () => strikeRepeatedly()));
  } finally {
    await target.close();
  }
  return { seed, struck, missing };
}

async function runTrial(place: CrashPoint, number: number, seed: number, target: LoggingTarget): Promise<TrialReport> {
  const trial = await Trial.open(`trial-${process.pid}-${number}`, new Dice(seed, number), target);
  const makeTrialReport = (where: string, findings: Findings): TrialReport => ({ place: place.name, where, trial: number, ...findings });
  try {
    const blow = await place.strike(trial);
    const findings = await examine(trial, blow);
    return makeTrialReport(blow.where, { ...findings, problems: [...blow.problems, ...findings.problems] });
  } catch (thrown) {
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return makeTrialReport('the trial itself failed', { lostSeconds: null, outOfBalance: 0, leftOver: 0, problems: [text] });
  } finally {
    await trial.close();
  }
}

/**
 * Returns the order of trials. Each crash point is repeated according to its weight, evenly spread, so that even a few trials contain every
 * crash point.
 */
function listTurns(places: readonly CrashPoint[]): CrashPoint[] {
  const turns = places.flatMap((place) =>
    Array.from({ length: place.weight }, (_, index) => ({ place, at: (index + 0.5) / place.weight })),
  );
  return turns.sort((a, b) => a.at - b.at).map(({ place }) => place);
}
