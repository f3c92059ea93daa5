import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { DATABASE_NAME, openStore, type Store } from '#backend/store/store.ts';
import type { KillResult } from './places/place.ts';
import type { Trial } from './trial.ts';

/** Maximum loss that the product promises: after a kill, at most this many seconds of what the target received are missing. */
export const MAX_LOST_SECONDS = 2;
const LOOK_WITHIN_MS = 60_000;

/** What the next start of Holdfast finds after a kill. */
export interface Findings {
  readonly lostSeconds: number | null;
  readonly outOfBalance: number;
  readonly leftOver: number;
  /** Every promise that was broken, as a sentence. The list is empty if Holdfast has recovered. */
  readonly problems: readonly string[];
}

export async function examine(trial: Trial, { graceMs, diedMs = Number.POSITIVE_INFINITY }: KillResult): Promise<Findings> {
  const remainingNames = await findLeftovers(trial, graceMs);
  const problems = remainingNames.map((command) => `still there: ${command.slice(0, 200)}`);
  // Any start of Holdfast recovers the runs of processes that have died.
  const look = trial.cli(['runs']);
  if (!(await look.ended(LOOK_WITHIN_MS))) problems.push('the next Holdfast hangs');
  else if (look.child.exitCode !== 0) problems.push(`the next Holdfast fails: ${look.getOutput().slice(0, 400)}`);
  const files = await readdir(trial.temporary);
  if (files.length > 0) problems.push(`left among the temporary files: ${files.join(', ')}`);
  if (!existsSync(join(trial.home, DATABASE_NAME))) {
    if (trial.target.askedMs(trial.name).length > 0) problems.push('requests were sent, and there is no store');
    return { lostSeconds: null, outOfBalance: 0, leftOver: remainingNames.length, problems };
  }
  const integrity = checkIntegrity(join(trial.home, DATABASE_NAME));
  if (integrity !== 'ok') problems.push(`the database is not sound: ${integrity}`);
  const store = openStore(trial.home);
  try {
    const { lostSeconds, outOfBalance } = examineRuns(store, trial, diedMs, problems);
    return { lostSeconds, outOfBalance, leftOver: remainingNames.length, problems };
  } finally {
    store.close();
  }
}

async function findLeftovers(trial: Trial, graceMs: number): Promise<string[]> {
  const until = performance.now() + graceMs;
  for (;;) {
    const left = await trial.processes();
    if (left.length === 0 || performance.now() > until) return left.map(({ command }) => command);
    await sleep(100);
  }
}

function checkIntegrity(path: string): string {
  const database = new Database(path, { readonly: true });
  try {
    return String(database.pragma('integrity_check(1)', { simple: true }));
  } finally {
    database.close();
  }
}

function examineRuns(store: Store, trial: Trial, diedMs: number, problems: string[]): { lostSeconds: number | null; outOfBalance: number } {
  for (const { id } of store.listUnended()) problems.push(`run ${id} is still going`);
  let coveredSeconds = 0;
  let outOfBalance = 0;
  const { runs } = store.list({ search: '', limit: 100, offset: 0 });
  for (const { id } of runs) {
    const { key, state } = store.find(id);
    const result = store.result(key);
    if (result === null) {
      problems.push(`run ${id} (${state}) has no result`);
      continue;
    }
    if (!result.balances) {
      outOfBalance += 1;
      problems.push(`the request outcomes of run ${id} (${state}) do not balance: ${JSON.stringify(result.outcomes)}`);
    }
    const seconds = store.generatorWindows(key).map(({ window }) => [window.second, window.width] as const);
    const gap = seconds.findIndex(([second], index) => index > 0 && second !== sum(seconds[index - 1]));
    if (gap > 0) problems.push(`run ${id} has a gap before second ${seconds[gap]?.[0]}`);
    coveredSeconds = Math.max(coveredSeconds, sum(seconds.at(-1)));
  }
  const asked = trial.target.askedMs(trial.name).filter((atMs) => atMs <= diedMs);
  const [first] = asked;
  const last = asked.at(-1);
  if (first === undefined || last === undefined) return { lostSeconds: null, outOfBalance };
  const lostSeconds = Math.max(0, (last - first) / 1_000 - coveredSeconds);
  if (lostSeconds > MAX_LOST_SECONDS) problems.push(`${lostSeconds.toFixed(1)} s of requests are in no window`);
  return { lostSeconds, outOfBalance };
}

function sum(generatorWindow: readonly [number, number] | undefined): number {
  return generatorWindow === undefined ? 0 : generatorWindow[0] + generatorWindow[1];
}
