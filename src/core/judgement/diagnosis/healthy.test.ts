import { expect, it } from 'vitest';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { exponential, collectFacts, logNormal, randomFrom, simulate, type Random, type SimulatedServer } from '#core/testing/queueRun.ts';
import { diagnose } from './diagnose.ts';

/** A healthy server under a kind of load, with random variations. */
interface Kind {
  readonly name: string;
  draw(random: Random): { readonly load: PlanInput['load']; readonly server: SimulatedServer };
  /** Ids of correct findings that are not alarming. */
  readonly remarks?: readonly string[];
}

const between = (from: number, to: number, random: Random): number => from + (to - from) * random();
const whole = (from: number, to: number, random: Random): number => Math.round(between(from, to, random));

const page = (random: Random): SimulatedServer => {
  const median = between(2, 80, random);
  return { workers: Infinity, serviceMs: (dice) => logNormal(median, 0.4, dice) };
};
const poisson = (perSecond: number, seconds: number): PlanInput['load'] =>
  arrivals([{ kind: 'constant', perSecond, seconds }], { spacing: 'poisson' });
const thinking = { kind: 'uniform' as const, fromSeconds: 0.5, toSeconds: 1.5 };

const KINDS: readonly Kind[] = [
  { name: 'static files', draw: (random) => ({ load: poisson(whole(20, 80, random), 20), server: page(random) }) },
  {
    name: 'a database with a pool, up to three quarters busy',
    draw(random) {
      const meanMs = between(20, 60, random);
      const workers = whole(2, 8, random);
      const perSecond = Math.min(120, ((between(0.2, 0.75, random) * workers) / meanMs) * 1_000);
      return { load: poisson(perSecond, 20), server: { workers, serviceMs: (dice) => 2 + exponential(meanMs, dice) } };
    },
  },
  {
    name: 'a page that takes 5 s, with many workers',
    draw: (random) => ({
      load: arrivals([{ kind: 'constant', perSecond: whole(3, 20, random), seconds: whole(12, 60, random) }]),
      server: { workers: Infinity, serviceMs: (dice) => 5_000 + 30 * dice() },
    }),
  },
  {
    name: 'TLS, a connection for each request',
    draw(random) {
      const server = page(random);
      const connectMs = between(10, 60, random);
      return { load: poisson(whole(20, 60, random), 20), server: { ...server, connectMs: (dice) => logNormal(connectMs, 0.2, dice) } };
    },
    remarks: ['connectionPerRequest'],
  },
  {
    name: 'chunked pages with a number that changes',
    draw: (random) => ({
      load: poisson(whole(20, 60, random), 20),
      server: { ...page(random), extraBytes: (dice) => (dice() < 0.1 ? -1 : 0) },
    }),
    remarks: ['lengthVaries'],
  },
  {
    name: 'users behind a proxy',
    draw: (random) => ({
      load: users([{ users: whole(20, 120, random), startUpSeconds: 3, seconds: 20 }], thinking),
      server: { ...page(random), patienceMs: 60_000 },
    }),
  },
  {
    name: 'bursts with pauses between them',
    draw(random) {
      const pause = { kind: 'pause' as const, seconds: 4 };
      const burst = (arrivalsInIt: number) => ({ kind: 'count' as const, arrivals: arrivalsInIt, seconds: 2 });
      const sizes = [whole(20, 40, random), whole(40, 80, random), whole(60, 120, random)];
      return { load: arrivals(sizes.flatMap((size) => [burst(size), pause])), server: page(random) };
    },
  },
  {
    name: 'one to five hundred users, served at once',
    draw: (random) => ({
      load: users(
        [1, 10, 100, 500].map((count) => ({ users: count, startUpSeconds: count > 10 ? 2 : 0, seconds: 8 })),
        thinking,
      ),
      server: page(random),
    }),
  },
  {
    name: 'a cache with most of the pages',
    draw(random) {
      const [missMs, share] = [between(80, 300, random), between(0.08, 0.3, random)];
      const serviceMs = (dice: Random): number => (dice() < share ? logNormal(missMs, 0.1, dice) : logNormal(3, 0.2, dice));
      return { load: poisson(whole(20, 60, random), 20), server: { workers: Infinity, serviceMs } };
    },
    remarks: ['groups', 'averageHides'],
  },
  {
    name: 'a rate that rises within the capacity',
    draw(random) {
      const workers = whole(4, 10, random);
      const serviceMs = between(20, 60, random);
      const most = Math.min(100, (0.7 * workers * 1_000) / serviceMs);
      const ramp = { kind: 'ramp' as const, fromPerSecond: 2, toPerSecond: most, seconds: 20 };
      return { load: arrivals([ramp]), server: { workers, serviceMs: (dice) => logNormal(serviceMs, 0.2, dice) } };
    },
  },
  {
    name: 'more connections without a pause than the capacity',
    draw(random) {
      const workers = whole(2, 8, random);
      const serviceMs = between(20, 100, random);
      return {
        load: stages({ connections: workers * whole(1, 6, random), seconds: 15 }),
        server: { workers, serviceMs: (dice) => logNormal(serviceMs, 0.3, dice) },
      };
    },
  },
  {
    name: 'a spike above the capacity, between two calm times',
    draw(random) {
      const [workers, serviceMs] = [whole(1, 4, random), between(40, 100, random)];
      const most = (1_000 * workers) / serviceMs;
      const of = (share: number, seconds: number) => ({ kind: 'constant' as const, perSecond: share * most, seconds });
      const load = arrivals([of(0.3, 15), of(3, 4), of(0.3, 40)], { spacing: 'poisson' });
      return { load, server: { workers, serviceMs: (dice) => logNormal(serviceMs, 0.2, dice) } };
    },
  },
];
const RUNS_PER_KIND = 10;
const MAX_FALSE_SHARE = 0.02;
/**
 * Findings that are always allowed. A slow page has few responses in a short run, which is reported; queues and first responses are always
 * described.
 */
const ALWAYS_ALLOWED = ['tooFewSamples', 'behaviour'];

it('diagnose: rarely raises an alarm about healthy servers of twelve kinds', { timeout: 60_000 }, () => {
  const alarms: string[] = [];
  const remarks: string[] = [];
  let runs = 0;
  for (const [number, { name, draw, remarks: allowed = [] }] of KINDS.entries()) {
    for (let run = 0; run < RUNS_PER_KIND; run += 1) {
      const random = randomFrom(1_000 * number + run + 1);
      const { load, server } = draw(random);
      const plan: Plan = planWith({ load });
      runs += 1;
      for (const { level, id, sentence } of diagnose(collectFacts(plan, simulate(plan, server, random)))) {
        const line = `${name}, run ${run}: ${level} ${id}: ${sentence}`;
        if (level !== 'info') alarms.push(line);
        else if (![...ALWAYS_ALLOWED, ...allowed].some((known) => id.startsWith(known))) remarks.push(line);
      }
    }
  }
  expect(runs).toBeGreaterThanOrEqual(100);
  expect(alarms.length, alarms.join('\n')).toBeLessThanOrEqual(MAX_FALSE_SHARE * runs);
  expect(remarks.length, remarks.join('\n')).toBeLessThanOrEqual(MAX_FALSE_SHARE * runs);
});
