import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { compileFlow } from '#core/work/journey/flow/compile.ts';
import { countExecutions } from '#core/work/journey/flow/executions.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { driveThreads } from '#workers/drivers/native/paced/testing/driveThreads.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';
import { Route } from './route.ts';
import type { KnownValue } from './captures.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

const LISTS: Readonly<Record<string, unknown>> = { '/login': { campaigns: ['a', 'b,c', 'd e'] }, '/none': { campaigns: [] } };

/** Starts a server that counts received requests by path. */
async function serve(): Promise<{ server: TestServer; seen: string[]; count(path: string): number }> {
  const seen: string[] = [];
  const server = await httpServer((request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    if (path === '/broken') response.writeHead(500).end('{}');
    else response.end(JSON.stringify(LISTS[path] ?? {}));
  });
  opened.push(server);
  return { server, seen, count: (path) => seen.filter((each) => each === path).length };
}

const capture = { from: 'json' as const, as: 'campaigns', path: '$.campaigns', which: 'all' as const, mayBeEmpty: true };
const steps = (...names: string[]): PlanInput['journey'] => names.map((name) => ({ name, path: `/${name}` }));
const login = { name: 'login', path: '/login', captures: [capture] };
const choose = [
  { weight: 10, flow: ['submit', 'status'], weightIn: { late: 60 } },
  { weight: 50, flow: ['statement'] },
  { weight: 40, flow: ['description'] },
];
const contest: Partial<PlanInput> = {
  journey: steps('login', 'submit', 'status', 'statement', 'description'),
  flow: ['login', { repeat: 3, flow: [{ choose }] }],
};

const groups: Partial<PlanInput> = {
  journey: steps('work', 'watch'),
  flow: [
    {
      per: 'user',
      choose: [
        { weight: 7, flow: ['work'] },
        { weight: 3, flow: ['watch'] },
      ],
    },
  ],
};

/** Returns the steps of one drawn journey. */
function walkJourney(plan: Partial<PlanInput>, visit: { user: number; journey: number; stage?: number; seed?: number }): number[] {
  const parsed = planSchema.parse({
    holdfast: 1,
    name: 't',
    targets: [{ url: 'http://127.0.0.1:1/' }],
    journey: steps('login'),
    load: {
      model: 'users',
      stages: [
        { name: 'early', users: 1, seconds: 1 },
        { name: 'late', users: 1, seconds: 1 },
      ],
    },
    ...plan,
  });
  const memory = new Map<string, KnownValue>();
  const route = new Route(compileFlow(parsed), {
    draw: { seed: visit.seed ?? 1, user: visit.user, journey: visit.journey, request: 0 },
    stage: visit.stage ?? 0,
    knownValue: (name) => memory.get(name),
    remember: (name, value) => void (value === null ? memory.delete(name) : memory.set(name, value)),
  });
  const taken: number[] = [];
  for (route.begin(Infinity); route.step >= 0; route.advance()) taken.push(route.step);
  return taken;
}

describe('groups of users in a flow', () => {
  it('consist of the same users in every journey', () => {
    const load = { model: 'users' as const, stages: [{ users: 20, seconds: 1 }] };
    const taken = Array.from({ length: 20 }, (_, user) =>
      [0, 1, 2].map((journey) => walkJourney({ ...groups, load }, { user, journey, seed: user }).join()),
    );
    expect(taken.slice(0, 14)).toEqual(Array.from({ length: 14 }, () => ['0', '0', '0']));
    expect(taken.slice(14)).toEqual(Array.from({ length: 6 }, () => ['1', '1', '1']));
  });

  it('have the same sizes on any number of threads', async () => {
    const { server, count } = await serve();
    const load: PlanInput['load'] = { model: 'users', thinkTime: { kind: 'fixed', seconds: 9 }, stages: [{ users: 10, seconds: 0.3 }] };
    await driveThreads({ targets: [server.url], load, threads: 3, plan: groups });
    expect([count('/work'), count('/watch')]).toEqual([7, 3]);
  });

  it('are drawn at random for arrivals, whose number is unknown', () => {
    const load = { model: 'arrivals' as const, stages: [{ kind: 'constant' as const, perSecond: 1, seconds: 1 }] };
    const taken = Array.from({ length: 1_000 }, (_, user) => walkJourney({ ...groups, load }, { user, journey: 0 })[0]);
    expect(taken.filter((step) => step === 0).length).toBeGreaterThan(640);
    expect(taken.filter((step) => step === 0).length).toBeLessThan(760);
  });
});

describe('Route draws', () => {
  it('follow the weights of each stage for any seed, for users and for journeys', () => {
    const N = 2_000;
    fc.assert(
      fc.property(fc.nat({ max: 4_294_967_295 }), fc.boolean(), fc.constantFrom(0, 1), (seed, alongUsers, stage) => {
        const counts = new Map<number, number>();
        for (let index = 0; index < N; index += 1) {
          const visit = alongUsers ? { user: index, journey: 0 } : { user: 7, journey: index };
          for (const step of walkJourney(contest, { ...visit, stage, seed })) counts.set(step, (counts.get(step) ?? 0) + 1);
        }
        const drawn = 3 * N;
        const all = stage === 0 ? 100 : 150;
        for (const [step, weight] of [
          [1, stage === 0 ? 10 : 60],
          [3, 50],
          [4, 40],
        ] as const) {
          const share = weight / all;
          // The limit is five standard deviations, which chance exceeds less than once in a million runs.
          const deviation = Math.sqrt(drawn * share * (1 - share));
          expect(Math.abs((counts.get(step) ?? 0) - drawn * share)).toBeLessThan(5 * deviation);
        }
        expect(counts.get(1)).toBe(counts.get(2));
        expect(counts.get(0)).toBe(N);
      }),
      { numRuns: 12 },
    );
  });

  it('are independent: pairs occur as often as their shares predict', () => {
    const pairs = new Map<string, number>();
    const N = 6_000;
    for (let user = 0; user < N; user += 1) {
      const [, ...drawn] = walkJourney(
        {
          journey: steps('login', 'a', 'b'),
          flow: [
            'login',
            {
              repeat: 2,
              flow: [
                {
                  choose: [
                    { weight: 1, flow: ['a'] },
                    { weight: 2, flow: ['b'] },
                  ],
                },
              ],
            },
          ],
        },
        { user, journey: 0 },
      );
      pairs.set(drawn.join(), (pairs.get(drawn.join()) ?? 0) + 1);
    }
    for (const [pair, share] of [
      ['1,1', 1 / 9],
      ['1,2', 2 / 9],
      ['2,1', 2 / 9],
      ['2,2', 4 / 9],
    ] as const) {
      expect(Math.abs((pairs.get(pair) ?? 0) - N * share)).toBeLessThan(5 * Math.sqrt(N * share * (1 - share)));
    }
  });

  it('repeat each count within the bounds equally often', () => {
    const counts = [0, 0, 0, 0, 0, 0];
    const flow = ['login', { repeat: { from: 2, to: 5 }, flow: ['a'] }];
    for (let user = 0; user < 4_000; user += 1) {
      const times = walkJourney({ journey: steps('login', 'a'), flow }, { user, journey: 3 }).length - 1;
      counts[times] = (counts[times] ?? 0) + 1;
    }
    expect(counts.slice(0, 2)).toEqual([0, 0]);
    for (const count of counts.slice(2)) expect(Math.abs(count - 1_000)).toBeLessThan(5 * Math.sqrt(750));
  });

  it('are reproducible for a seed, and differ for another seed', () => {
    const ways = (seed: number): number[][] => Array.from({ length: 50 }, (_, user) => walkJourney(contest, { user, journey: 1, seed }));
    expect(ways(5)).toEqual(ways(5));
    expect(ways(5)).not.toEqual(ways(6));
  });
});

describe('a load with a flow', () => {
  it('sends as many requests of each step as the server counts, in the shares of the weights', async () => {
    const { server, count } = await serve();
    const driven = await drive({
      targets: [server.url],
      load: { model: 'connections', stages: [{ connections: 8, requests: 1_200 }] },
      plan: contest,
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.steps.map(({ started }) => started)).toEqual(
      ['login', 'submit', 'status', 'statement', 'description'].map((name) => count(`/${name}`)),
    );
    const drawn = count('/submit') + count('/statement') + count('/description');
    expect(drawn).toBeGreaterThan(300);
    for (const [path, share] of [
      ['/submit', 0.1],
      ['/statement', 0.5],
      ['/description', 0.4],
    ] as const)
      expect(Math.abs(count(path) - drawn * share)).toBeLessThan(5 * Math.sqrt(drawn * share * (1 - share)) + 8);
    expect(driven.journeys.finished + driven.journeys.abandoned).toBe(driven.journeys.started);
  });

  it('draws the same journeys for arrivals on any number of threads', async () => {
    const one = await serve();
    const four = await serve();
    const load: PlanInput['load'] = {
      model: 'arrivals',
      stages: [
        { name: 'early', kind: 'count', arrivals: 60, seconds: 0.4 },
        { name: 'late', kind: 'count', arrivals: 60, seconds: 0.4 },
      ],
    };
    const [single, several] = await Promise.all([
      driveThreads({ targets: [one.server.url], load, plan: contest }),
      driveThreads({ targets: [four.server.url], load, plan: contest, threads: 4 }),
    ]);
    expect(single.discrepancies(one.server.requests)).toEqual([]);
    expect(several.discrepancies(four.server.requests)).toEqual([]);
    expect(several.journeys).toMatchObject({ started: 120, finished: 120 });
    for (const name of ['login', 'submit', 'status', 'statement', 'description'])
      expect(four.count(`/${name}`)).toBe(one.count(`/${name}`));
    // Journeys draw according to the stage in which they start, and count in that stage.
    expect([0, 1].map((stage) => several.cellOfStage(stage).journeysStarted)).toEqual([60, 60]);
    const plan = planSchema.parse({ holdfast: 1, name: 't', targets: [{ url: one.server.url }], load, ...contest });
    expect(countExecutions(plan, 'submit', 1).mean).toBeCloseTo(1.2);
    const submits = [0, 1].map((stage) => countExecutions(plan, 'submit', stage).mean ?? 0);
    expect(one.count('/submit')).toBeGreaterThan(60 * (submits[0] ?? 0));
  });

  it('iterates over the items of a list, including items with commas, and over an empty list', async () => {
    const { server, seen } = await serve();
    const journey: PlanInput['journey'] = [
      login,
      { name: 'item', path: '/item/{{campaign}}?all={{campaigns}}' },
      { name: 'end', path: '/end/{{campaigns}}' },
    ];
    const flow = ['login', { forEach: 'campaigns', as: 'campaign', flow: ['item'] }, 'end'];
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 }, plan: { journey, flow } });
    expect(driven.cell.errors).toEqual({});
    expect(seen).toEqual([
      '/login',
      '/item/a?all=a%2Cb%2Cc%2Cd%20e',
      '/item/b%2Cc?all=a%2Cb%2Cc%2Cd%20e',
      '/item/d%20e?all=a%2Cb%2Cc%2Cd%20e',
      '/end/a%2Cb%2Cc%2Cd%20e',
    ]);
    expect(driven.journeys).toMatchObject({ started: 1, finished: 1, abandoned: 0 });

    seen.length = 0;
    const none = await drive({
      targets: [server.url],
      stage: { connections: 1, requests: 1 },
      plan: { journey: [{ ...login, path: '/none' }, ...journey.slice(1)], flow },
    });
    expect(seen).toEqual(['/none', '/end/']);
    expect(none.journeys).toMatchObject({ started: 1, finished: 1, abandoned: 0 });
    expect(discrepancies(none, 2)).toEqual([]);

    seen.length = 0;
    const most = ['login', { forEach: 'campaigns', as: 'campaign', atMost: 1, flow: ['item'] }, 'end'];
    await drive({ targets: [server.url], stage: { connections: 1, requests: 1 }, plan: { journey, flow: most } });
    expect(seen).toHaveLength(3);
  });

  it('ends a journey if a step of the chosen branch does not capture a value that later steps need', async () => {
    const { server, count } = await serve();
    const broken = { name: 'broken', path: '/broken', captures: [{ ...capture, as: 'other' }] };
    const journey: PlanInput['journey'] = [...steps('login', 'fine'), broken, ...steps('last')];
    const flow = [
      'login',
      {
        choose: [
          { weight: 1, flow: ['fine'] },
          { weight: 1, flow: ['broken'] },
        ],
      },
      'last',
    ];
    const driven = await drive({
      targets: [server.url],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 200, seconds: 0.5 }] },
      plan: { journey, flow },
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.steps.map(({ outcomes }) => outcomes)).toEqual([
      { ok: 200 },
      { ok: count('/fine') },
      { httpError: count('/broken') },
      { ok: count('/fine') },
    ]);
    expect(driven.journeys).toMatchObject({ started: 200, finished: count('/fine'), abandoned: count('/broken') });
    expect(count('/broken')).toBeGreaterThan(60);
    expect(count('/fine')).toBeGreaterThan(60);
  });

  it("runs a `once` step only in each user's first journey", async () => {
    const { server, count } = await serve();
    const journey: PlanInput['journey'] = [{ name: 'login', path: '/login', once: true }, ...steps('page')];
    const flow = ['login', { repeat: 2, flow: ['page'] }];
    const load: PlanInput['load'] = { model: 'users', thinkTime: { kind: 'fixed', seconds: 0.02 }, stages: [{ users: 5, seconds: 0.6 }] };
    const driven = await drive({ targets: [server.url], load, plan: { journey, flow } });
    expect(count('/login')).toBe(5);
    expect(driven.journeys.started).toBeGreaterThan(20);
    expect(discrepancies(driven, server.requests)).toEqual([]);
  });
});
