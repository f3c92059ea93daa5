import { planWith, stages } from '#core/testing/plans.ts';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import type { Window } from '#core/measurement/window.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { shareBounds } from '#core/statistics/bounds.ts';
import { judged } from './judged.ts';
import { simulatedRun, type ServerKind, type SimulatedSeconds } from './simulatedServers.ts';

/** Duration of the runs, and mean number of requests per second. */
export interface WatchDuration {
  readonly seconds: number;
  readonly perSecond: number;
}

/** How often statements about servers of a kind were correct. */
export interface Coverage {
  readonly kind: string;
  /** Number of bounds on either side, and number of correct ones. */
  readonly bounds: number;
  readonly highTrue: number;
  readonly lowTrue: number;
  /** Number of criteria that passed or failed, and number of correct ones among them. */
  readonly decided: number;
  readonly right: number;
  /** Number of criteria that the oracle decided, and number of those that the judgement decided in the same way. */
  readonly byOracle: number;
  readonly alike: number;
}

/** Shares of all requests over the judged limits. The last limit is far beyond all times. */
const SHARES = [0.3, 0.1, 0.03, 0.01, 0.001, 0] as const;
const FAR_LIMIT_FACTOR = 20;
const MAX_LIMIT_MS = 3_600_000;
const PERCENTILES = [90, 95, 99] as const;
/** Offset between the seeds of judged runs and of runs that determine the true shares. */
const TRUTH_SEED_OFFSET = 1_000_000_000;

/** Number of judged runs, number of runs that determine the true shares, and the first seed. */
export interface Trials {
  readonly runs: number;
  readonly truthRuns: number;
  readonly seed: number;
}

/** Numbers of blocks into which a run is divided to measure clumping. */
const BLOCK_COUNTS = [1, 3, 10, 20, 60] as const;

interface Truth {
  readonly maxMs: number;
  readonly share: number;
  /** Design effect: the number of requests that are as precise as one independent request. */
  readonly effect: number;
}

/**
 * Judges runs of a server with known true shares by the production code. The oracle uses the same windows and knows the design effect of
 * this kind of server. It does not know the phase of the server's changes, because no observer can know it.
 */
export function makeCoverage(kind: ServerKind, watching: WatchDuration, trials: Trials): Coverage {
  const truths = drawTruths(kind, watching, trials);
  const counts = { bounds: 0, highTrue: 0, lowTrue: 0, decided: 0, right: 0, byOracle: 0, alike: 0 };
  const criteria = truths.flatMap(({ maxMs }) => PERCENTILES.map((percentile): Criterion => ({ kind: 'responseTime', percentile, maxMs })));
  const plan = planWith({ load: stages({ connections: 10, seconds: watching.seconds }), criteria });
  for (let run = 0; run < trials.runs; run += 1) {
    const windows = makeWindows(simulatedRun(kind, trials.seed + run, watching.seconds, watching.perSecond));
    const results = judged({ plan, windows }).criteria;
    for (const [index, { outcome, shareHigh, shareLow, counted, over }] of results.entries()) {
      const truth = truths[Math.floor(index / PERCENTILES.length)];
      if (truth === undefined || counted === null || over === null) continue;
      if (index % PERCENTILES.length === 0) {
        counts.bounds += 1;
        // A missing bound makes no statement and cannot be wrong.
        if ((shareHigh ?? 1) >= truth.share) counts.highTrue += 1;
        if ((shareLow ?? 0) <= truth.share) counts.lowTrue += 1;
      }
      const allowance = (100 - (PERCENTILES[index % PERCENTILES.length] ?? 0)) / 100;
      if (outcome !== 'unknown') {
        counts.decided += 1;
        if ((outcome === 'passed') === truth.share <= allowance) counts.right += 1;
      }
      const reported = shareBounds(over / truth.effect, counted / truth.effect);
      const byOracle = reported.high <= allowance ? 'passed' : reported.low > allowance ? 'failed' : 'unknown';
      // A server whose share is exactly at its limit neither passes nor fails.
      if (byOracle === 'unknown' || Math.abs(truth.share / allowance - 1) < 0.05) continue;
      counts.byOracle += 1;
      if (byOracle === outcome) counts.alike += 1;
    }
  }
  return { kind: kind.name, ...counts };
}

function drawTruths(kind: ServerKind, { seconds, perSecond }: WatchDuration, { truthRuns: runs, seed }: Trials): Truth[] {
  const { seen, times } = drawTruthRuns(kind, { seconds, perSecond }, { truthRuns: runs, seed });
  const slowestMs = times.findLast((time) => Number.isFinite(time)) ?? 1;
  return SHARES.map((wanted) => {
    // Limits are whole microseconds, and times in the same histogram bucket are indistinguishable.
    const maxMs = Math.max(
      0.001,
      Math.round(
        (wanted === 0
          ? Math.min(MAX_LIMIT_MS, FAR_LIMIT_FACTOR * slowestMs)
          : Math.min(slowestMs, times[Math.floor((1 - wanted) * times.length)] ?? 1)) * 1_000,
      ) / 1_000,
    );
    const share = shareOver(times, maxMs);
    const independent = share * (1 - share) * (times.length / runs);
    const squares = BLOCK_COUNTS.map(() => 0);
    for (const run of seen) {
      // Each item is the number of violations up to a second, minus the number expected by then.
      const excess = [0];
      for (const second of run) {
        let over = 0;
        for (const time of second) if (time > maxMs) over += 1;
        excess.push((excess.at(-1) ?? 0) + over - share * second.length);
      }
      for (const [index, count] of BLOCK_COUNTS.entries())
        for (let part = 0; part < count; part += 1) {
          const at = (end: number): number => excess[Math.floor((end * seconds) / count)] ?? 0;
          squares[index] = (squares[index] ?? 0) + (at(part + 1) - at(part)) ** 2;
        }
    }
    return { maxMs, share, effect: independent === 0 ? 1 : Math.max(1, ...squares.map((sum) => sum / runs / independent)) };
  });
}

/** Returns the runs that determine the true shares, and all their times in ascending order. */
export function drawTruthRuns(
  kind: ServerKind,
  { seconds, perSecond }: WatchDuration,
  { truthRuns, seed }: Pick<Trials, 'truthRuns' | 'seed'>,
) {
  const seen = Array.from({ length: truthRuns }, (_, run) => simulatedRun(kind, TRUTH_SEED_OFFSET + seed + run, seconds, perSecond));
  return { seen, times: Float64Array.from(seen.flatMap((run) => run.flat())).toSorted() };
}

/** Returns the share of times over a limit. `times` must be in ascending order. */
export function shareOver(times: Float64Array, maxMs: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) > maxMs) high = middle;
    else low = middle + 1;
  }
  return (times.length - low) / times.length;
}

/** Returns windows as a recorder would write them: one step, and one journey per request. */
export function makeWindows(seconds: SimulatedSeconds): Window[] {
  return seconds.map((times, second) => {
    const window = emptyWindow(second, 1);
    writeCell(window, { stage: 0, step: 0 }, times);
    return window;
  });
}

/** Writes the outcomes of requests of a step into a window without that step. */
export function writeCell(
  window: Window,
  { stage, step }: { readonly stage: number; readonly step: number },
  times: readonly number[],
): void {
  const cell = findOrAddCell(window, stage, step);
  const good = createHistogram();
  const failed = times.filter((time) => !Number.isFinite(time)).length;
  for (const time of times) if (Number.isFinite(time)) record(good, time * 1_000);
  cell.times.serviceOk = good;
  cell.outcomes.ok = times.length - failed;
  cell.outcomes.httpError = failed;
  cell.started = times.length;
  cell.journeysStarted = times.length;
  window.journeys.started += times.length;
  window.journeys.finished += times.length;
}
