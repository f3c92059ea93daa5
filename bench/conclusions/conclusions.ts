import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measurement } from '../commands.ts';
import { decideOutcome } from '../figures/requirement.ts';
import { describeMachine } from '../output/machine.ts';
import { coresFor, pinThisProcess } from '../running/cores.ts';
import { measureOtherLoad } from '../running/othersShare.ts';
import { type OptionValues, readOptions } from '../running/readOptions.ts';
import { openApp } from './app.ts';
import { measureBreakingPoint } from './breakingPoint.ts';
import { measureCauses } from './causes.ts';
import { measureDifferences } from './differences.ts';
import { measureSame } from './same.ts';
import { measureHealthy } from './healthy.ts';
import { measureHidden } from './hidden.ts';
import type { Kind, KindResult } from './kind.ts';
import { DEFAULTS, KIND_NAMES, type KindName, OPTIONS } from './options.ts';
import { secondsSince } from './plans.ts';
import { conclusionsMarkdown, type ConclusionsReport } from './report.ts';

const KINDS: Readonly<Record<KindName, Kind>> = {
  healthy: measureHealthy,
  causes: measureCauses,
  differences: measureDifferences,
  hidden: measureHidden,
  'breaking-point': measureBreakingPoint,
  same: measureSame,
};
const MAX_SEED = 1_000_000;
type ConclusionsOptions = OptionValues<typeof OPTIONS> & { readonly parts: readonly KindName[] };

/**
 * Returns the measurement that lets the app answer questions about real servers whose right answers are known, and prints how often the app
 * was right. Results are written after each kind, so that a stop loses only the current one. Exit code 1 means that a requirement was not
 * met.
 */
export function readConclusions(parameters: readonly string[]): Measurement {
  const options = readOptions('conclusions', OPTIONS, parameters, KIND_NAMES);
  if (typeof options === 'string') return () => console.log(options);
  return (signal, print) => measureConclusions(options, signal, print);
}

async function measureConclusions(options: ConclusionsOptions, signal: AbortSignal, print: (line: string) => void): Promise<void> {
  const startedAt = new Date().toISOString();
  const seed = options.seed ?? randomInt(1, MAX_SEED);
  const cores = coresFor(options.cores, print);
  pinThisProcess(cores.generator);
  const name = join(options.results, `conclusions-${startedAt.replaceAll(/[:.]/g, '-')}`);
  await mkdir(options.results, { recursive: true });
  const results: (KindResult & { readonly tookSeconds: number })[] = [];
  const othersShares: number[] = [];
  let markdown = '';
  for (const kind of options.parts) {
    const notify = (line: string): void => print(`${kind}: ${line}`);
    othersShares.push(...[await measureOtherLoad()].filter((share) => share !== null));
    const startedMs = performance.now();
    results.push({ ...(await runKind(kind, options, { seed, cores, signal, notify })), tookSeconds: secondsSince(startedMs) });
    const report: ConclusionsReport = { startedAt, machine: describeMachine(), cores, seed, othersShares, results };
    markdown = conclusionsMarkdown(report);
    await writeFile(`${name}.md`, `${markdown}\n`);
    await writeFile(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
  }
  console.log(markdown);
  print(`\nWritten to ${name}.md and .json`);
  if (results.some(({ requirements }) => requirements.some((each) => decideOutcome(each) === 'missed'))) process.exitCode = 1;
}

/** Runs the measurements of one kind with a newly started app. */
async function runKind(
  kind: KindName,
  { runs, minutes }: ConclusionsOptions,
  surroundings: Pick<Parameters<Kind>[0], 'seed' | 'cores' | 'signal' | 'notify'>,
): Promise<KindResult> {
  const wanted = DEFAULTS[kind];
  const startedMs = performance.now();
  const leftSeconds = (): number => 60 * (minutes ?? wanted.minutes) - secondsSince(startedMs);
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-conclusions-'));
  try {
    const app = await openApp(surroundings.signal);
    try {
      return await KINDS[kind]({
        ...surroundings,
        app,
        folder,
        runs: runs ?? wanted.runs,
        hasTimeFor: (seconds) => leftSeconds() >= seconds,
      });
    } finally {
      await app.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
