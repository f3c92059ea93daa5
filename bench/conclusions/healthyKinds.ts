import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import type { Dice } from './dice.ts';
import type { PageSettings } from '../targets/pageSettings.ts';

/** A healthy server, and a load that it easily sustains. */
export interface HealthyCase {
  readonly server: PageSettings;
  readonly load: PlanInput['load'];
  /** Maximum response time of the criterion in ms. All responses from this server are far below it. */
  readonly maxMs: number;
  readonly journey?: PlanInput['journey'];
  readonly connections?: PlanInput['connections'];
  /** What is between the generator and the server; missing if there is nothing. */
  readonly through?: 'tls' | 'nginx';
}

export interface HealthyKind {
  readonly id: string;
  readonly title: string;
  draw(dice: Dice): HealthyCase;
}

const seconds = (dice: Dice): number => Number(dice.between(2, 2.8).toFixed(1));
const fixedDelay = (ms: number): string => `fixed:${ms}`;
const exponentialDelay = (ms: number): string => `exponential:${ms}`;

/** Returns a load of users whose pauses result in about `perSecond` requests per second in total. The mean pause is at most 2 s. */
function visitorLoad(users: number, perSecond: number, dice: Dice): PlanInput['load'] {
  const pause = Math.min(2, users / perSecond);
  return {
    model: 'users',
    thinkTime: { kind: 'uniform', fromSeconds: 0.5 * pause, toSeconds: 1.5 * pause },
    stages: [{ users, startUpSeconds: users > 1 ? 0.5 : 0, seconds: seconds(dice) }],
  };
}

function arrivalLoad(perSecond: number, dice: Dice): PlanInput['load'] {
  return { model: 'arrivals', spacing: 'poisson', stages: [{ kind: 'constant', perSecond, seconds: seconds(dice) }] };
}

/** Returns a load of connections without pauses, and a slow server that is far from its limit. */
function drawBusyConnections(most: number, dice: Dice): Pick<HealthyCase, 'server' | 'load' | 'maxMs'> {
  const connections = dice.integer(1, most);
  const ms = dice.integer(18, 26) + 2 * connections;
  return {
    server: { delay: fixedDelay(ms) },
    load: { model: 'connections', stages: [{ connections, seconds: seconds(dice) }] },
    maxMs: ms + 500,
  };
}

const ORDER_JOURNEY: PlanInput['journey'] = [
  { name: 'start', path: '/start', captures: [{ from: 'between', as: 'token', after: 'name="token" value="', before: '"' }] },
  { name: 'list', path: '/list', checks: [{ kind: 'contains', text: 'A page' }] },
  { name: 'order', method: 'POST', path: '/order', form: { token: '{{token}}' }, checks: [{ kind: 'contains', text: 'Thank you' }] },
];

/** Ten kinds of targets, with one to five hundred users. Every step gets at least the 59 responses that limits for shares require. */
export const HEALTHY_KINDS: readonly HealthyKind[] = [
  {
    id: 'static',
    title: 'static files, 1 to 500 users',
    draw: (dice) => ({
      server: { delay: fixedDelay(0), bytes: dice.integer(1_000, 60_000) },
      load: visitorLoad(dice.pick([1, 10, 50, 200, 500]), dice.integer(60, 150), dice),
      maxMs: 500,
    }),
  },
  {
    id: 'database',
    title: 'pages from a database with a pool, at most two thirds of it busy',
    draw(dice) {
      const workers = dice.integer(3, 8);
      const meanMs = dice.integer(8, 25);
      const most = ((2 / 3) * workers * 1_000) / meanMs;
      return {
        server: { delay: exponentialDelay(meanMs), workers, queries: true },
        load: arrivalLoad(dice.integer(50, Math.min(120, Math.floor(most))), dice),
        maxMs: 1_000,
      };
    },
  },
  {
    id: 'slow',
    title: 'a page that takes 5 s, for all who ask at once',
    draw: (dice) => ({ server: { delay: fixedDelay(5_000) }, load: arrivalLoad(dice.integer(40, 80), dice), maxMs: 8_000 }),
  },
  {
    id: 'tls',
    title: 'TLS, connections kept or one for each visit',
    draw: (dice) => ({
      server: { delay: exponentialDelay(10) },
      through: 'tls',
      connections: { reuse: dice.pick(['always', 'journey']) },
      load: visitorLoad(dice.integer(10, 60), dice.integer(50, 80), dice),
      maxMs: 1_000,
    }),
  },
  {
    id: 'chunked',
    title: 'pages in pieces, without a length, with a number that changes',
    draw(dice) {
      const drawn = drawBusyConnections(10, dice);
      return { ...drawn, server: { ...drawn.server, pieces: dice.integer(2, 12), bytes: dice.integer(2_000, 40_000) } };
    },
  },
  {
    id: 'proxy',
    title: 'behind nginx that keeps its connections',
    draw: (dice) => ({
      server: { delay: exponentialDelay(dice.integer(5, 25)), bytes: dice.integer(1_000, 20_000) },
      through: 'nginx',
      load: visitorLoad(dice.pick([10, 50, 100, 200]), dice.integer(60, 150), dice),
      maxMs: 1_000,
    }),
  },
  {
    id: 'bursts',
    title: 'bursts with pauses between them',
    draw(dice) {
      const burstStage = (count: number) => ({ kind: 'count' as const, arrivals: count, seconds: 0.5 });
      const pause = { kind: 'pause' as const, seconds: 0.6 };
      const size = dice.integer(60, 80);
      const stages = [burstStage(size), pause, burstStage(dice.integer(size, 90)), pause, burstStage(dice.integer(size, 100)), pause];
      return { server: { delay: exponentialDelay(dice.integer(5, 25)) }, load: { model: 'arrivals', stages }, maxMs: 1_000 };
    },
  },
  {
    id: 'close',
    title: 'a server that ends the connection after each response',
    draw(dice) {
      const drawn = drawBusyConnections(10, dice);
      return { ...drawn, server: { ...drawn.server, closes: true } };
    },
  },
  {
    id: 'journeys',
    title: 'visitors who start, look, and order with a token, and think in between',
    draw: (dice) => ({
      server: { delay: exponentialDelay(dice.integer(5, 20)) },
      journey: ORDER_JOURNEY,
      load: visitorLoad(dice.pick([30, 60, 100]), dice.integer(130, 160), dice),
      maxMs: 1_000,
    }),
  },
  {
    id: 'arrivals',
    title: 'a rate that rises',
    draw(dice) {
      const stage = {
        kind: 'ramp' as const,
        fromPerSecond: dice.integer(20, 40),
        toPerSecond: dice.integer(60, 200),
        seconds: seconds(dice),
      };
      return { server: { delay: exponentialDelay(dice.integer(5, 30)) }, load: { model: 'arrivals', stages: [stage] }, maxMs: 1_000 };
    },
  },
];

/** Returns the plan that a user would write. `authority` is the certificate of a TLS server. */
export function healthyPlan({ load, maxMs, journey, connections }: HealthyCase, name: string, url: string, authority: string | null): Plan {
  return planSchema.parse({
    holdfast: 1,
    name,
    targets: [{ url }],
    journey: journey ?? [{ name: 'page' }],
    load,
    criteria: [
      { kind: 'responseTime', percentile: 95, maxMs },
      { kind: 'errors', maxShare: 0.05 },
    ],
    ...(connections === undefined ? {} : { connections }),
    ...(authority === null ? {} : { tls: { ca: authority } }),
    timeoutSeconds: 20,
  });
}
