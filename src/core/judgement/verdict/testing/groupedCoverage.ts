import type { Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { randomFrom } from '#core/testing/queueRun.ts';
import { drawTruthRuns, shareOver, type Trials, type WatchDuration, writeCell } from './coverage.ts';
import { judged, ownCriteria } from './judged.ts';
import { type ServerKind, simulatedRun } from './simulatedServers.ts';

/** How often statements about groups of requests were correct, where a group is one step in one stage. */
export interface GroupedCoverage {
  /** Number of bounds on either side, and number of correct ones. */
  readonly bounds: number;
  readonly highTrue: number;
  readonly lowTrue: number;
  /**
   * Number of share criteria that passed or failed, and number of correct ones among them. The fields for Apdex, which combines two shares,
   * have the same meaning; `apdexJudged` is the number of all its judgements.
   */
  readonly decided: number;
  readonly right: number;
  readonly apdexJudged: number;
  readonly apdexDecided: number;
  readonly apdexRight: number;
}

/**
 * Steps with the weights by which requests are assigned to them at random. Each step has the true share of the whole, with fewer requests.
 */
const STEPS = [
  { name: 'often', upTo: 0.6 },
  { name: 'sometimes', upTo: 0.9 },
  { name: 'seldom', upTo: 1 },
] as const;
const STAGES = 2;
const SHARES = [0.3, 0.1, 0.03] as const;
const ALLOWANCE = 0.05;
/** Thresholds of the Apdex ratings fair, good and excellent. */
const MIN_APDEX = [0.7, 0.85, 0.94] as const;

/** Judges runs of two stages and three steps by the production code. Each stage begins at a random moment. */
export function groupedCoverage(kind: ServerKind, watching: WatchDuration, trials: Trials): GroupedCoverage {
  const { criteria, truths } = criteriaFor(kind, watching, trials);
  const load = stages(...Array.from({ length: STAGES }, () => ({ connections: 10, seconds: watching.seconds })));
  const plan = planWith({ journey: STEPS.map(({ name }) => ({ name })), load, criteria });
  const found = { bounds: 0, highTrue: 0, lowTrue: 0, decided: 0, right: 0, apdexJudged: 0, apdexDecided: 0, apdexRight: 0 };
  for (let run = 0; run < trials.runs; run += 1) {
    const results = ownCriteria(judged({ plan, windows: groupedWindows(kind, watching, trials.seed + run) }).criteria);
    for (const [index, { criterion, outcome, shareHigh, shareLow, over }] of results.entries()) {
      // Each criterion is judged in every stage and step before the next one.
      const truth = truths[Math.floor(index / (STAGES * STEPS.length))];
      if (truth === undefined) throw new TypeError('More was judged than was asked.');
      if (criterion.kind === 'apdex') {
        found.apdexJudged += 1;
        if (outcome === 'unknown') continue;
        found.apdexDecided += 1;
        if ((outcome === 'passed') === truth >= criterion.min) found.apdexRight += 1;
        continue;
      }
      if (over === null) continue;
      found.bounds += 1;
      // A missing bound makes no statement and cannot be wrong.
      if ((shareHigh ?? 1) >= truth) found.highTrue += 1;
      if ((shareLow ?? 0) <= truth) found.lowTrue += 1;
      if (outcome === 'unknown') continue;
      found.decided += 1;
      if ((outcome === 'passed') === truth <= ALLOWANCE) found.right += 1;
    }
  }
  return found;
}

/** Returns each criterion with the server's true share or Apdex. */
function criteriaFor(kind: ServerKind, watching: WatchDuration, trials: Trials) {
  const { times } = drawTruthRuns(kind, watching, trials);
  const slowestMs = times.findLast((time) => Number.isFinite(time)) ?? 1;
  const limits = SHARES.map((share) => {
    const maxMs = Math.min(slowestMs, times[Math.floor((1 - share) * times.length)] ?? 1);
    return Math.max(0.001, Math.round(maxMs * 1_000) / 1_000);
  });
  const shares = limits.map((maxMs): [Criterion, number] => [
    { kind: 'responseTime', percentile: 100 - 100 * ALLOWANCE, maxMs },
    shareOver(times, maxMs),
  ]);
  const apdexes = limits.flatMap((thresholdMs) => {
    const truth = 1 - (shareOver(times, thresholdMs) + shareOver(times, 4 * thresholdMs)) / 2;
    return MIN_APDEX.map((min): [Criterion, number] => [{ kind: 'apdex', thresholdMs, min }, truth]);
  });
  const all = [...shares, ...apdexes];
  return { criteria: all.map(([criterion]) => criterion), truths: all.map(([, truth]) => truth) };
}

function groupedWindows(kind: ServerKind, { seconds, perSecond }: WatchDuration, seed: number): Window[] {
  const random = randomFrom(seed);
  return Array.from({ length: STAGES }, (_, stage) => {
    const run = simulatedRun(kind, seed * STAGES + stage, seconds, perSecond);
    return run.map((times, second) => {
      const window = emptyWindow(stage * seconds + second, 1);
      const groups = STEPS.map((): number[] => []);
      for (const time of times) {
        const drawn = random();
        groups[STEPS.findIndex(({ upTo }) => drawn < upTo)]?.push(time);
      }
      for (const [step, own] of groups.entries()) writeCell(window, { stage, step }, own);
      return window;
    });
  }).flat();
}
