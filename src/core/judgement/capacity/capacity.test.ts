import { describe, expect, it } from 'vitest';
import { collectFacts, logNormal, randomFrom, simulate } from '#core/testing/queueRun.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { buildSeriesResult } from '#core/series/buildSeriesResult.ts';
import { cellRun, documentWith, figuresWith } from '#core/series/testing/series.ts';
import { capacityOfSeries } from '#core/series/capacity.ts';
import { capacityBlocks } from '#core/presentation/document/capacity.ts';
import { passageLines } from '#core/presentation/text/textTable.ts';
import { capacityOfRun, hasCapacity } from './capacity.ts';
import { bestCycle, type Cycle, perHour } from './levels.ts';

const WORKERS = 6;
const COUNTS = [1, 2, 4, 8, 16, 32];

/** Returns a run against a server with six workers of 50 ms, level by level. */
function run(counts: readonly number[]) {
  const plan = planWith({
    load: stages(...counts.map((connections) => ({ connections, seconds: 8 }))),
    demand: { requestsPerSecond: 60, people: { count: 300, name: 'readers' } },
  });
  const random = randomFrom(1);
  const facts = collectFacts(plan, simulate(plan, { workers: WORKERS, serviceMs: (dice) => logNormal(50, 0.05, dice) }, random));
  return { ...facts, criteria: [], findings: [] };
}

describe('capacity of a run', () => {
  const given = run(COUNTS);
  const capacity = capacityOfRun(given);
  const text = passageLines(capacityBlocks(capacity)).join('\n');

  it("finds the limit of the server's workers in the levels of the run", () => {
    const [only] = capacity.sets;
    if (only?.scaling.kind !== 'limit') throw new Error(only?.scaling.kind ?? 'nothing');
    expect(only.scaling.limit.most).toBeGreaterThan(0.95 * (WORKERS / 0.05));
    expect(only.scaling.limit.most).toBeLessThan(1.05 * (WORKERS / 0.05));
    expect(text).toMatch(/Up to about [5-7] connections/);
  });

  it('names the number of people for whom it suffices, and the hourly output of its best cycle', () => {
    expect(capacity.headroom?.people?.enoughFor).toBe(Math.floor((300 * (capacity.headroom?.perSecond ?? 0)) / 60));
    expect(text).toMatch(/at least (1\.9\d?|2|2\.0\d) times the expected 60\/s of 300 readers: enough for [56]\d\d readers\./);
    expect(text).toMatch(/The best cycle is .* × 3,600 = 4\d\d,\d\d\d requests/);
  });

  it("is compared with a given demand instead of the plan's, or with none", () => {
    expect(capacityOfRun(given, { requestsPerSecond: 1_000 }).headroom).toMatchObject({ people: null });
    expect(passageLines(capacityBlocks(capacityOfRun(given, { requestsPerSecond: 1_000 }))).join()).toContain(
      'that is not enough, unless more was not tested',
    );
    expect(capacityOfRun({ ...given, plan: { ...given.plan, demand: undefined } }).headroom).toBeNull();
  });

  it('ignores rates limited by the network or the load generator', () => {
    const finding = {
      id: 'bandwidthBound',
      level: 'warning' as const,
      sentence: '',
      evidence: [],
      remedy: '',
      confidence: 'certain' as const,
      range: null,
    };
    expect(capacityOfRun({ ...given, findings: [finding] }).sets[0]?.scaling).toMatchObject({ kind: 'refused', why: 'doubted' });
  });

  it('is empty for a single level', () => {
    const one = capacityOfRun({ ...run([4]), plan: planWith() });
    expect(hasCapacity(one)).toBe(false);
    expect(capacityBlocks(one)).toEqual([]);
  });
});

describe('capacity of a series', () => {
  const head = {
    id: 's-1',
    name: 'A test',
    startedAt: '2026-01-01T12:00:00.000Z',
    endedAt: '2026-01-01T12:10:00.000Z',
    state: 'finished' as const,
    endedBecause: null,
  };
  const document = documentWith(
    { variants: [{ name: 'one' }, { name: 'two' }], levels: { connections: COUNTS }, repeats: 2 },
    { demand: { requestsPerSecond: 50 } },
  );
  const rateOf = (variant: string, count: number): number => 20 * Math.min(count, variant === 'one' ? 4 : 8);
  const runs = ['one', 'two'].flatMap((variant) =>
    COUNTS.flatMap((count) => {
      const cell = `${variant} · ${count} connection${count === 1 ? '' : 's'}`;
      return [1, 2].map((repeat) => {
        const rate = rateOf(variant, count) * (repeat === 1 ? 1.01 : 0.99);
        return cellRun(cell, repeat, { figures: figuresWith({ completedPerSecond: rate, okPerSecond: rate }) });
      });
    }),
  );
  const capacity = capacityOfSeries(buildSeriesResult(head, document, runs));

  it('is computed for each variant', () => {
    expect(capacity.sets.map(({ set }) => set.name)).toEqual(['one', 'two']);
    const limits = capacity.sets.map(({ scaling }) => (scaling.kind === 'limit' ? Math.round(scaling.limit.fullAt) : null));
    expect(limits).toEqual([4, 8]);
    expect(capacity.headroom?.factor).toBeCloseTo(3.2, 1);
  });
});

describe('best cycle', () => {
  const cycle = (at: number, perSecond: number, apdex: number | null, hasFailed = false): Cycle => ({
    name: `${at} users`,
    at,
    counted: 'pages',
    total: 1,
    good: 1,
    failed: 0,
    perSecond,
    times: { min: 1, mean: 1, p50: 1, p90: 1, p95: 1, max: 1 },
    apdex,
    requestApdex: null,
    hasFailed,
  });

  it('has the highest rate × Apdex of the cycles that are good', () => {
    expect(bestCycle([cycle(10, 10, 0.95), cycle(20, 18, 0.9), cycle(40, 19, 0.8)])?.at).toBe(20);
    expect(bestCycle([cycle(10, 10, 0.95), cycle(20, 18, 0.9, true)])?.at).toBe(10);
    expect(bestCycle([cycle(10, 10, 0.5), cycle(20, 18, 0.4)])).toBeNull();
    expect(bestCycle([cycle(10, 10, null), cycle(20, 18, null)])?.at).toBe(20);
  });

  it('is extrapolated to an hour without rounding its rate', () => {
    expect([10, 10.489, 26, 4, 13].map(perHour)).toEqual([36_000, 37_760, 93_600, 14_400, 46_800]);
  });
});
