import { planWith, stages } from '#core/testing/plans.ts';
import { judged } from './judged.ts';
import { byChance, closedLoad, periodic, type ServerKind, simulatedRun } from './simulatedServers.ts';
import { makeWindows } from './coverage.ts';

/** A server that repeatedly pauses for two seconds, under a closed load. */
export interface PausingServer extends ServerKind {
  /** Average seconds from one pause to the next. */
  readonly every: number;
}

const PAUSE_SECONDS = 2;
const LIMIT_MS = 1_000;
/** Runs of a minute each, which determine the true share of each server to a few percent. */
const TRUTH_RUNS = { runs: 200, seconds: 60, seed: 1_000_000_000 };

const byTimetable = (every: number): PausingServer => ({
  name: `every ${every} s`,
  every,
  run: closedLoad(periodic(() => every, PAUSE_SECONDS)),
});
const atRandom = (every: number): PausingServer => ({
  name: `every ${every} s by chance`,
  every,
  run: closedLoad(
    byChance(
      () => every - PAUSE_SECONDS,
      () => PAUSE_SECONDS,
    ),
  ),
});

export const PAUSING_SERVERS: readonly PausingServer[] = [4, 8, 20, 60].flatMap((every) => [byTimetable(every), atRandom(every)]);

/** Results of short runs against a pausing server. */
export interface RarePauseResults {
  /** Number of runs without a pause. */
  readonly clean: number;
  /**
   * Number of runs with an upper bound of the share over the limit, and number of correct bounds among them. Then the same for lower
   * bounds.
   */
  readonly highClaimed: number;
  readonly highTrue: number;
  readonly lowClaimed: number;
  readonly lowTrue: number;
  /**
   * Average interval, in seconds, of the rarest events that a run claims to have seen, which is equal in all runs; null if a run claims
   * nothing.
   */
  readonly rarestSeen: number | null;
}

/** Judges short runs by the production code. Each run begins at a random moment. */
export function judgeRarePauses(
  server: PausingServer,
  watching: { readonly seconds: number; readonly perSecond: number },
  trials: { readonly runs: number; readonly seed: number },
): RarePauseResults {
  const { seconds, perSecond } = watching;
  const plan = planWith({
    load: stages({ connections: 10, seconds }),
    criteria: [{ kind: 'responseTime', percentile: 95, maxMs: LIMIT_MS }],
  });
  const truth = shareBeyondLimit(server, perSecond, trials.seed);
  const found = { clean: 0, highClaimed: 0, highTrue: 0, lowClaimed: 0, lowTrue: 0 };
  const rarest = new Set<number | null>();
  for (let run = 0; run < trials.runs; run += 1) {
    const windows = makeWindows(simulatedRun(server, trials.seed + run, seconds, perSecond));
    const { criteria, verdict } = judged({ plan, windows });
    const [{ over = 0, shareHigh = null, shareLow = null } = {}] = criteria;
    if (over === 0) found.clean += 1;
    if (shareHigh !== null) {
      found.highClaimed += 1;
      if (shareHigh >= truth) found.highTrue += 1;
    }
    if (shareLow !== null) {
      found.lowClaimed += 1;
      if (shareLow <= truth) found.lowTrue += 1;
    }
    rarest.add(verdict.notSeen?.rarerThanSeconds ?? null);
  }
  const [rarestSeen = null] = rarest;
  return { ...found, rarestSeen: rarest.size === 1 ? rarestSeen : null };
}

function shareBeyondLimit(server: PausingServer, perSecond: number, seed: number): number {
  const counts = { all: 0, over: 0 };
  for (let run = 0; run < TRUTH_RUNS.runs; run += 1)
    for (const times of simulatedRun(server, TRUTH_RUNS.seed + seed + run, TRUTH_RUNS.seconds, perSecond)) {
      counts.all += times.length;
      counts.over += times.filter((ms) => ms > LIMIT_MS).length;
    }
  return counts.over / counts.all;
}
