import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Measurement } from '../commands.ts';
import { formatFigure, markdownTable } from '../output/table.ts';
import { describeMachine } from '../output/machine.ts';
import { integer, names, type OptionValues, readOptions, RESULTS } from '../running/readOptions.ts';
import { measureWithSteal } from '../running/stealGate.ts';
import { WatchedApp } from './app/watchedApp.ts';
import { growthBytes, LIMITS, megabytes, failedRequirements } from './judge.ts';
import { runCalls } from './parts/callsPart.ts';
import { runLoad } from './parts/loadPart.ts';
import type { Findings, PartContext } from './parts/part.ts';
import { runTerminal } from './parts/terminalPart.ts';
import { ENGINES, PLANS } from './plans.ts';
import { startHostile } from './server/startHostile.ts';

const PART_NAMES = ['load', 'secure', 'paced', 'journey', 'pages', 'monitors', 'calls', 'terminal'] as const;
export type PartName = (typeof PART_NAMES)[number];

const OPTIONS = {
  seconds: integer('length of each part', 600, 86_400),
  only: names('parts', PART_NAMES),
  engine: names('engines of the part load', ENGINES),
  seed: integer('seed of what the server sends', 1, 4_294_967_295),
  results: RESULTS,
};
type HostileOptions = OptionValues<typeof OPTIONS>;

const load =
  (name: keyof typeof PLANS) =>
  (context: PartContext): Promise<Findings> =>
    runLoad(PLANS[name](context.server, context.seconds, context.engine), context);

const PARTS: Readonly<Record<PartName, (context: PartContext) => Promise<Findings>>> = {
  load: load('load'),
  secure: load('secure'),
  paced: load('paced'),
  journey: load('journey'),
  pages: load('pages'),
  monitors: load('monitors'),
  calls: runCalls,
  terminal: runTerminal,
};

export interface PartReport {
  readonly name: string;
  readonly findings: Findings;
  readonly missed: readonly string[];
  /** Share of processor time that the hypervisor stole; null if unknown. */
  readonly stolenShare: number | null;
}

/**
 * Returns the measurement in which every part of Holdfast that reads responses gets hostile strings from a server. Exit code 1 means that a
 * requirement was not met.
 */
export function readHostile(parameters: readonly string[]): Measurement {
  const options = readOptions('hostile', OPTIONS, parameters);
  if (typeof options === 'string') return () => console.log(options);
  return (signal, print) => measureHostile(options, signal, print);
}

async function measureHostile(options: HostileOptions, signal: AbortSignal, print: (line: string) => void): Promise<void> {
  const startedAt = new Date().toISOString();
  const name = join(options.results, `hostile-${startedAt.replaceAll(/[:.]/g, '-')}`);
  await mkdir(options.results, { recursive: true });
  const reports: PartReport[] = [];
  let markdown = '';
  for (const part of options.only) {
    for (const engine of part === 'load' ? options.engine : (['native'] as const)) {
      if (signal.aborted) break;
      reports.push(await runPart(part, engine, options, signal, print));
      markdown = hostileMarkdown(reports, options, startedAt);
      await writeFile(`${name}.md`, `${markdown}\n`);
      await writeFile(`${name}.json`, `${JSON.stringify({ startedAt, machine: describeMachine(), options, reports }, setsAsArrays, 2)}\n`);
    }
  }
  console.log(markdown);
  print(`\nWritten to ${name}.md and .json`);
  if (reports.some(({ missed }) => missed.length > 0)) process.exitCode = 1;
}

/** Runs one part against a newly started server and backend. */
export async function runPart(
  part: PartName,
  engine: PartContext['engine'],
  { seconds, seed }: Pick<HostileOptions, 'seconds' | 'seed'>,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<PartReport> {
  const name = part === 'load' ? `load (${engine})` : part;
  const server = await startHostile(seed);
  try {
    const app = await WatchedApp.open();
    try {
      const notify = (line: string): void => print(`${name}: ${line}`);
      const { value: findings, stolenShare } = await measureWithSteal(() => PARTS[part]({ app, server, seconds, engine, signal, notify }));
      return { name, findings, missed: failedRequirements(findings), stolenShare };
    } finally {
      await app.close();
    }
  } finally {
    await server.stop();
  }
}

function hostileMarkdown(reports: readonly PartReport[], { seconds, seed }: HostileOptions, startedAt: string): string {
  const head = [
    'part',
    'requests',
    'by the server',
    'memory early',
    'growth',
    'result',
    'frame',
    'store',
    'stall',
    'of a thread',
    'blocked',
    'waited for CPU',
    'stolen',
    'outcome',
  ];
  const rows = reports.map(({ name, findings, missed, stolenShare }) => [
    name,
    String(findings.requests ?? '–'),
    String(findings.serverRequests),
    megabytes(findings.memory.early?.rssBytes ?? null),
    megabytes(growthBytes(findings)),
    megabytes(findings.resultBytes),
    megabytes(findings.seen.largestFrameBytes),
    megabytes(findings.storeBytes),
    `${formatFigure(findings.seen.stallMs, 0)} ms`,
    `${formatFigure(findings.seen.threadStallMs, 0)} ms`,
    `${formatFigure(findings.seen.blockedMs, 0)} ms`,
    `${formatFigure(findings.seen.hungerMs, 0)} ms`,
    stolenShare === null ? '–' : `${(stolenShare * 100).toFixed(1)} %`,
    missed.length === 0 ? 'held' : `**missed ${missed.length}**`,
  ]);
  const limits = `growth < ${megabytes(LIMITS.growthBytes)}, result and frame < ${megabytes(LIMITS.resultBytes)}, stall < ${LIMITS.stallMs} ms of work of its own`;
  const missed = reports.flatMap(({ name, missed: sentences }) => sentences.map((sentence) => `- ${name}: ${sentence}`));
  return [
    `# A hostile server, ${startedAt}`,
    `${seconds} s a part, seed ${seed}. Required: ${limits}; every prototype as it was, no uncaught error, balanced request outcomes, a result.`,
    markdownTable(head, rows),
    missed.length === 0 ? 'Everything held.' : missed.join('\n'),
  ].join('\n\n');
}

function setsAsArrays(_key: string, value: unknown): unknown {
  return value instanceof Set ? [...value] : value;
}
