import { planWith, stages } from '#core/testing/plans.ts';
import { judged } from './judged.ts';
import { byChance, closedLoad, periodic, type ServerKind, simulatedRun } from './simulatedServers.ts';
import { windowsOf } from './coverage.ts';

/** A server that stands still for two seconds again and again, under a closed load. */
export interface PausingServer extends ServerKind {
  /** Seconds from one pause to the next, on average. */
  readonly every: number;
}

const PAUSE_SECONDS = 2;
const LIMIT_MS = 1_000;
/** So many runs of a minute each tell the truth about a server, to a few percent. */
const TRUTH = { runs: 200, seconds: 60, seed: 1_000_000_000 };

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

/** What short runs said of such a server. */
export interface RareFound {
  /** Runs that met no pause. */
  readonly clean: number;
  /** Runs that told an upper bound of the share beyond the limit, and those of them in which it was true; the same of lower bounds. */
  readonly highTold: number;
  readonly highTrue: number;
  readonly lowTold: number;
  readonly lowTrue: number;
  /** The rarest that each run said it would have seen, in seconds; it is the same in all of them. Null where a run said nothing. */
  readonly rarestSeen: number | null;
}

/** Each run begins at any moment of the server's life, and is judged by the very function that judges real ones. */
export function rareFound(
  server: PausingServer,
  watching: { readonly seconds: number; readonly perSecond: number },
  trials: { readonly runs: number; readonly seed: number },
): RareFound {
  const { seconds, perSecond } = watching;
  const plan = planWith({
    load: stages({ connections: 10, seconds }),
    objectives: [{ kind: 'responseTime', percentile: 95, limitMs: LIMIT_MS }],
  });
  const truth = shareBeyondLimit(server, perSecond, trials.seed);
  const found = { clean: 0, highTold: 0, highTrue: 0, lowTold: 0, lowTrue: 0 };
  const rarest = new Set<number | null>();
  for (let run = 0; run < trials.runs; run += 1) {
    const windows = windowsOf(simulatedRun(server, trials.seed + run, seconds, perSecond));
    const { objectives, verdict } = judged({ plan, windows });
    const [{ over = 0, shareHigh = null, shareLow = null } = {}] = objectives;
    if (over === 0) found.clean += 1;
    if (shareHigh !== null) {
      found.highTold += 1;
      if (shareHigh >= truth) found.highTrue += 1;
    }
    if (shareLow !== null) {
      found.lowTold += 1;
      if (shareLow <= truth) found.lowTrue += 1;
    }
    rarest.add(verdict.notSeen?.rarerThanSeconds ?? null);
  }
  const [rarestSeen = null] = rarest;
  return { ...found, rarestSeen: rarest.size === 1 ? rarestSeen : null };
}

function shareBeyondLimit(server: PausingServer, perSecond: number, seed: number): number {
  const counts = { all: 0, over: 0 };
  for (let run = 0; run < TRUTH.runs; run += 1)
    for (const times of simulatedRun(server, TRUTH.seed + seed + run, TRUTH.seconds, perSecond)) {
      counts.all += times.length;
      counts.over += times.filter((ms) => ms > LIMIT_MS).length;
    }
  return counts.over / counts.all;
}
