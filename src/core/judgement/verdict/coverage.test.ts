import { describe, expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import type { Objective } from '#core/plan/schema/plan.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import { coverageOf, windowsOf } from './testing/coverage.ts';
import { groupedCoverage } from './testing/groupedCoverage.ts';
import { judged } from './testing/judged.ts';
import { SERVER_KINDS, simulatedRun } from './testing/simulatedServers.ts';

/** Few enough for seconds; `npm run bench -- coverage` makes 1,000 of each. Of 24 with 95 %, 19 or fewer are true once in 200 times. */
const RUNS = 24;
const TRUTH_RUNS = 80;
const LEAST_TRUE = 0.82;
const LEAST_ALIKE = 0.6;
/** All of them are asked by the bench. */
const GROUPED = new Set(['independent', 'memory', 'garbage pauses', 'failures in bursts']);

describe('what is said with 95 % confidence', () => {
  it('is asked of twenty kinds of servers and more', () => {
    expect(new Set(SERVER_KINDS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
  });

  it.each(SERVER_KINDS.map((kind) => [kind.name, kind] as const))('is true, and says something: %s', (_, kind) => {
    const found = coverageOf(kind, { seconds: 60, perSecond: 25 }, { runs: RUNS, truthRuns: TRUTH_RUNS, seed: 1 });
    expect(found.highTrue / found.bounds).toBeGreaterThanOrEqual(LEAST_TRUE);
    expect(found.lowTrue / found.bounds).toBeGreaterThanOrEqual(LEAST_TRUE);
    expect(found.right / found.decided).toBeGreaterThanOrEqual(LEAST_TRUE);
    expect(found.alike / found.byOracle).toBeGreaterThanOrEqual(LEAST_ALIKE);
  });
});

it.each(SERVER_KINDS.filter(({ name }) => GROUPED.has(name)).map((kind) => [kind.name, kind] as const))(
  'what is said of each step in each stage is true: %s',
  (_, kind) => {
    const found = groupedCoverage(kind, { seconds: 60, perSecond: 25 }, { runs: RUNS, truthRuns: TRUTH_RUNS, seed: 1 });
    expect(found.bounds).toBe(18 * RUNS);
    expect(found.highTrue / found.bounds).toBeGreaterThanOrEqual(LEAST_TRUE);
    expect(found.lowTrue / found.bounds).toBeGreaterThanOrEqual(LEAST_TRUE);
    expect(found.right / found.decided).toBeGreaterThanOrEqual(LEAST_TRUE);
    expect(found.apdexDecided).toBeGreaterThan(0);
    expect(found.apdexRight / found.apdexDecided).toBeGreaterThanOrEqual(LEAST_TRUE);
  },
);

it('no share may be larger than that of a limit that more requests are over', () => {
  const bursts = SERVER_KINDS.find(({ name }) => name === 'failures in bursts');
  // The first limit has the same failures over it as the second one, and many slow answers besides.
  const limits = [60, 1_000].map((limitMs): Objective => ({ kind: 'responseTime', percentile: 90, limitMs }));
  const plan = planWith({ load: stages({ connections: 10, seconds: 60 }), objectives: limits });
  const bounds = Array.from({ length: 40 }, (_, seed) => {
    const windows = bursts === undefined ? [] : windowsOf(simulatedRun(bursts, seed, 60, 40));
    return judged({ plan, windows }).objectives.map(({ shareHigh }) => shareHigh ?? 0);
  });
  expect(bounds.filter(([more = 0, fewer = 0]) => !(more >= fewer))).toEqual([]);
});

describe('a run in which nothing was over its limit', () => {
  const plan = planWith({
    load: stages({ connections: 10, seconds: 24 }),
    objectives: [{ kind: 'responseTime', percentile: 95, limitMs: 1_000 }],
  });
  const { objectives, verdict } = judged({ plan, windows: repeatedWindows(24, { ok: [{ count: 1_113, ms: 9 }] }) });

  it('promises no share that so many seconds cannot tell', () => {
    expect(objectives[0]?.outcome).toBe('holds');
    expect(objectives[0]?.reason).toBe('None of 26,712 requests took longer than 1 s or failed; 5 % allowed.');
  });

  it('says what it could not have seen, as data and in a sentence', () => {
    expect(verdict.notSeen).toEqual({ watchedSeconds: 24, rarerThanSeconds: 8 });
    expect(verdict.reasons.at(-1)?.text).toBe('Disturbances rarer than about one every 8 s may have been missed.');
  });
});
