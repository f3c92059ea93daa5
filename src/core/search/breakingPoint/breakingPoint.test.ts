import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { checkPlan } from '#core/review/check.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { randomFrom, simulate, type SimulatedServer } from '#core/testing/queueRun.ts';
import { searchDocumentSchema } from '../result.ts';
import { playSearch } from '../testing/play.ts';
import { planOfProbe } from './aftermath.ts';
import type { breakingPointSettingsSchema } from './schema.ts';
import { stoodStill } from './testing/servers.ts';

function find(
  plan: Partial<PlanInput>,
  server: Parameters<typeof playSearch>[1],
  settings: z.input<typeof breakingPointSettingsSchema> = {},
  seed = 1,
) {
  const document = searchDocumentSchema.parse({ kind: 'breakingPoint', plan: planWith(plan), settings });
  const { conclusion, runs, because } = playSearch(document, server, randomFrom(seed));
  if (conclusion.kind !== 'breakingPoint') throw new TypeError('It was a search.');
  const levels = new Set(runs.flatMap(({ purpose, level }) => (purpose === 'level' ? (level ?? []) : [])));
  return { conclusion, runs, because, levels: [...levels] };
}

/** Returns workers whose service times vary by at most 1 %. */
function pool(workers: number, serviceMs: number): SimulatedServer {
  return { workers, serviceMs: (random) => serviceMs * (0.99 + 0.02 * random()) };
}
const rate = (perSecond: number): PlanInput['load'] => arrivals([{ kind: 'constant', perSecond, seconds: 30 }]);

describe('breaking point', () => {
  it('of servers with a known limit is found within 5 % in at most 12 levels without criteria', () => {
    const random = randomFrom(42);
    for (let server = 0; server < 8; server += 1) {
      const workers = 1 + Math.floor(random() * 30);
      const serviceMs = 40 + Math.floor(random() * 400);
      const limit = (1_000 * workers) / serviceMs;
      const from = limit / (2 + 40 * random());
      const { conclusion, levels } = find({ load: rate(1) }, pool(workers, serviceMs), { from, recovery: false }, server);
      const what = `${workers} workers of ${serviceMs} ms: ${limit}`;
      expect(levels.length, what).toBeLessThanOrEqual(12);
      expect(Math.abs((conclusion.estimate ?? 0) / limit - 1), `${what}, found ${conclusion.estimate}`).toBeLessThanOrEqual(0.05);
      expect(Math.abs((conclusion.prediction?.level ?? 0) / limit - 1), `${what}, ${conclusion.prediction?.text}`).toBeLessThanOrEqual(
        0.05,
      );
    }
  });

  it('of users with think time lies where times reach their limit (interactive response time law)', () => {
    // By the law, N* = W (L + Z) / S = 4 × (1 + 2) / 0.2 = 60.
    const load = users([{ users: 20, seconds: 30 }], { kind: 'fixed', seconds: 2 });
    const criteria = [{ kind: 'responseTime' as const, percentile: 95, maxMs: 1_000 }];
    const { conclusion } = find({ load, criteria }, pool(4, 200));
    expect(Math.abs((conclusion.estimate ?? 0) / 60 - 1)).toBeLessThanOrEqual(0.05);
    expect(Math.abs((conclusion.prediction?.level ?? 0) / 60 - 1)).toBeLessThanOrEqual(0.05);
    expect(conclusion.recovery).toBeNull();
    expect(conclusion.reasons.join(' ')).toContain('clients that wait for each response leave no queue behind');
  });

  it('of a server that rejects requests beyond its maximum is one connection above the maximum', () => {
    const { conclusion } = find({ load: stages({ connections: 4, seconds: 30 }) }, { ...pool(6, 50), queueLength: 5 });
    expect(conclusion).toMatchObject({ sustained: 11, breakingPoint: 12, withoutError: { upTo: 11, from: 12 } });
    expect(conclusion.sentence).toBe('Sustains 11 connections and fails at 12 connections.');
  });

  it('is reported with the level from which a proxy times out requests', () => {
    const { conclusion } = find({ load: rate(5) }, { ...pool(4, 200), patienceMs: 2_000 }, { recovery: false });
    expect(conclusion.withoutTimeout.from).toBeGreaterThan(20);
    expect(conclusion.withoutTimeout.upTo).toBeLessThan(conclusion.withoutTimeout.from ?? 0);
    expect(conclusion.reasons.join(' ')).toMatch(/No time-out up to .* the first at/);
  });

  it('is reported with the recovery time, which is correct within 10 %', () => {
    for (const [workers, serviceMs, overloadSeconds] of [
      [4, 200, 10],
      [10, 400, 12],
      [2, 100, 16],
    ] as const) {
      const limit = (1_000 * workers) / serviceMs;
      const { conclusion } = find({ load: rate(limit / 4) }, pool(workers, serviceMs), { overloadSeconds });
      const { recovery } = conclusion;
      if (recovery === null) throw new Error('It was looked at.');
      // The backlog grows by arrivals minus completions, and shrinks by completions minus arrivals.
      const expected = (overloadSeconds * (recovery.overloadLevel - limit)) / (limit - recovery.calmLevel);
      expect(Math.abs((recovery.seconds ?? 0) / expected - 1), `${recovery.seconds} of ${expected}`).toBeLessThanOrEqual(0.1);
      expect(conclusion.reasons.join(' ')).toContain('it recovered after');
    }
  });

  it('search stops if failures do not depend on load, such as a missing page', () => {
    const { conclusion, levels } = find({ load: rate(20) }, { ...pool(20, 100), refuses: (n) => (n > 30 ? 404 : null) });
    expect(levels).toHaveLength(1);
    expect(conclusion).toMatchObject({ sustained: null, breakingPoint: null });
    expect(conclusion.sentence).toMatch(/^Inconclusive: the failures at 5 requests\/s have nothing to do with load/);
  });

  it('is measured after the server has recovered from a freeze', () => {
    const { conclusion, runs } = find({ load: stages({ connections: 8, seconds: 30 }) }, stoodStill(22, 60));
    expect(conclusion).toMatchObject({ sustained: 22, breakingPoint: 23, isKnown: true });
    expect(conclusion.reasons.join(' ')).toMatch(/Time to recover after 32 connections \(/);
    const purposes = runs.map(({ purpose }) => purpose);
    expect(purposes.slice(0, 2)).toEqual(['probe', 'level']);
    const first = runs.findIndex(({ level }) => level === 32);
    expect(purposes.slice(first + 1, first + 3)).toEqual(['probe', 'probe']);
  });

  it('is that of a warm server, even for levels of connections', () => {
    const { conclusion, runs } = find({ load: stages({ connections: 8, seconds: 30 }) }, stoodStill(22, 60), { warmUpSeconds: 3 });
    expect(conclusion).toMatchObject({ sustained: 22, breakingPoint: 23 });
    expect(runs.find(({ purpose }) => purpose === 'level')?.spentSeconds).toBeGreaterThanOrEqual(13);
  });

  it.each([
    ['connections', stages({ connections: 8, seconds: 30 })],
    ['users', users([{ users: 8, seconds: 30 }])],
    ['a rate', rate(1_000)],
  ])('search sends a quick server at most twenty requests in a probe if levels are %s', (_name, load) => {
    const plan = planWith({ load, engine: 'autocannon' });
    const look = planOfProbe(plan);
    expect(simulate(look, pool(8, 0.05), randomFrom(1)).length).toBeLessThanOrEqual(20);
    expect(checkPlan(look).filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('search ends with a message if the server does not recover', () => {
    const { conclusion, because, levels, runs } = find({ load: stages({ connections: 8, seconds: 30 }) }, stoodStill(22, 1e6));
    expect(levels).toEqual([2, 4, 8, 16, 32]);
    expect(conclusion).toMatchObject({ sustained: 16, breakingPoint: 32 });
    expect(because).toMatch(/^The server has not recovered since 32 connections: for \d/);
    expect(conclusion.sentence).toContain('so no further level was started');
    expect(runs.filter(({ purpose }) => purpose === 'probe').length).toBeLessThan(40);
  });

  it('search keeps its limits of time and requests', () => {
    const slow = find({ load: rate(40) }, pool(100, 100), { maxSeconds: 60 });
    expect(slow.because).toBe('The maximum duration was reached.');
    expect(slow.runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0)).toBeLessThanOrEqual(61);
    expect(slow.conclusion.sentence).toMatch(/the breaking point was not reached/);
    const few = find({ load: rate(40) }, pool(100, 100), { maxRequests: 500 });
    expect(few.because).toBe('The maximum number of requests was reached.');
    expect(few.runs.reduce((sum, { requests }) => sum + requests, 0)).toBeLessThanOrEqual(500);
  });

  it('ignores criteria about throughput and about other stages', () => {
    const criteria = [
      { kind: 'throughput' as const, minPerSecond: 500 },
      { kind: 'responseTime' as const, percentile: 95, maxMs: 400, stage: 'busy' },
    ];
    const load = arrivals([{ kind: 'constant', name: 'busy', perSecond: 20, seconds: 30 }]);
    const { conclusion } = find({ load, criteria }, pool(8, 200), { recovery: false });
    expect(Math.abs((conclusion.estimate ?? 0) / 40 - 1)).toBeLessThanOrEqual(0.05);
  });
});
