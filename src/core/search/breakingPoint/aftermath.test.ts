import { describe, expect, it } from 'vitest';
import type { SearchRun } from '../run.ts';
import { exponential, randomFrom, type Random } from '#core/testing/queueRun.ts';
import { listAftermaths, PROBE_SECONDS } from './aftermath.ts';
import type { LevelReading, ProbeReading } from './reading.ts';

const SEARCHES = 300;
const LEVELS = 7;
const THINK_TIME_MS = 100;

/** Returns a probe of a server with exponential times. */
function look(meanMs: number, random: Random): ProbeReading {
  const times: number[] = [];
  for (let at = 0; at < 1_000 * PROBE_SECONDS; at += (times.at(-1) ?? 0) + THINK_TIME_MS) times.push(exponential(meanMs, random));
  const sorted = times.toSorted((one, other) => one - other);
  const percentile = (share: number): number | null => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  return { kind: 'probe', sent: times.length, failed: 0, p50Ms: percentile(0.5), p90Ms: percentile(0.9) };
}

const base = { state: 'value', phase: null, reason: null, runId: null, repeat: 1, requests: 10, spentSeconds: PROBE_SECONDS } as const;
const probeRun = (reading: ProbeReading): SearchRun => ({
  ...base,
  position: 0,
  purpose: 'probe',
  name: 'one visitor',
  level: null,
  reading,
});
const tooMuch: LevelReading = {
  kind: 'level',
  level: 20,
  outcome: 'failed',
  because: 'queue',
  text: '',
  isSure: true,
  sent: 10,
  okPerSecond: 10,
  meanMs: 100,
  p50: 100,
  p95: 100,
  failed: 0,
  timeouts: 0,
  growthMsPerSecond: null,
  seconds: 10,
  growthShare: null,
  wantedSeconds: null,
  overloadedSeconds: 0,
  isShared: false,
  freeze: null,
};
const brokenLevel: SearchRun = { ...base, position: 0, purpose: 'level', name: '20 requests/s', level: 20, reading: tooMuch };

describe('probes of a server', () => {
  it.each([20, 50, 100, 200, 400, 800, 1_600])(
    'mistake chance for an aftermath in at most 7 % of cases, after any number of probes: mean of %d ms',
    (meanMs) => {
      const random = randomFrom(meanMs);
      let disturbed = 0;
      for (let search = 0; search < SEARCHES; search += 1) {
        const runs = [probeRun(look(meanMs, random))];
        for (let level = 0; level < LEVELS; level += 1) runs.push(brokenLevel, probeRun(look(meanMs, random)));
        disturbed += listAftermaths(runs).filter(({ seconds }) => seconds > 0).length;
      }
      expect(disturbed / (SEARCHES * LEVELS)).toBeLessThanOrEqual(1 / 15);
    },
  );

  it.each([20, 200, 800])('detect an aftermath with times twenty times as long in at least 60 % of cases: %d ms', (meanMs) => {
    const random = randomFrom(meanMs);
    const calm = Array.from({ length: 4 }, () => probeRun(look(meanMs, random)));
    const found = Array.from({ length: SEARCHES }, () => listAftermaths([...calm, brokenLevel, probeRun(look(20 * meanMs, random))]));
    expect(found.filter(([only]) => only?.isOver === false).length / SEARCHES).toBeGreaterThanOrEqual(0.6);
  });

  it('ignore a first probe in an aftermath of another load after a better one', () => {
    const steady = (ms: number): SearchRun => probeRun({ kind: 'probe', sent: 15, failed: 0, p50Ms: ms, p90Ms: ms });
    const found = listAftermaths([steady(3_000), brokenLevel, steady(20), brokenLevel, steady(3_000), steady(20)]);
    expect(found.map(({ seconds, isOver }) => [seconds, isOver])).toEqual([
      [0, true],
      [PROBE_SECONDS, true],
    ]);
  });
});
