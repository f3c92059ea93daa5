import { describe, expect, it } from 'vitest';
import { findPlannedJourneys } from '#core/work/load/planned.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { playK6 } from '../testing/k6StandIn.ts';
import { brief, countBy, made, page } from '../testing/madeScript.ts';

describe('k6 scenarios for arrivals', () => {
  it('make the same arrivals at the same times as Holdfast', () => {
    const { plan, script } = made({
      journey: page,
      load: {
        model: 'arrivals',
        stages: [
          { kind: 'constant', perSecond: 2.5, seconds: 10 },
          { kind: 'pause', seconds: 3 },
          { kind: 'count', arrivals: 7, seconds: 3 },
          { kind: 'count', arrivals: 8, seconds: 1 },
          { kind: 'constant', perSecond: 5, seconds: 0.6 },
          { kind: 'ramp', fromPerSecond: 0, toPerSecond: 20, seconds: 10 },
          { kind: 'steps', fromPerSecond: 1, toPerSecond: 9, steps: 3, secondsEach: 4 },
          { kind: 'spike', basePerSecond: 0.5, peakPerSecond: 30, secondsBefore: 4, rampSeconds: 1, peakSeconds: 2, secondsAfter: 4 },
          { kind: 'constant', perSecond: 0.3, seconds: 10 },
        ],
      },
    });
    const { requests } = playK6(script);
    const counts = countBy(requests, 'holdfast_stage');
    for (const [index, stage] of plan.load.stages.entries()) {
      const planned = findPlannedJourneys(plan, index) ?? 0;
      // k6 starts an arrival where the area below a ramp reaches 1, and Holdfast where the area reaches 0.5.
      const tolerance = 'kind' in stage && /constant|count|pause/.test(stage.kind) ? 0 : 1;
      expect(Math.abs((counts[index] ?? 0) - planned), `stage ${index}`).toBeLessThanOrEqual(tolerance);
    }
    expect(requests.slice(0, 3).map(({ atSecond }) => atSecond)).toEqual(
      [0.2, 0.6, 1].map((second) => expect.closeTo(second, 3) as unknown),
    );
    expect(requests.every(({ tags }) => tags['holdfast_step'] === '0' && tags['name'] === 'page')).toBe(true);
  });

  it.each([0.1, 0.25, 1 / 3, 3, 17.5, 12_345.678])('make the planned arrivals at %s per second', (perSecond) => {
    const seconds = Math.max(1, Math.round(300 / perSecond));
    const { plan, script } = made({ journey: page, load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds }] } });
    const { requests } = playK6(script, { latencySeconds: 0 });
    expect(Math.abs(requests.length - (findPlannedJourneys(plan, 0) ?? 0))).toBeLessThanOrEqual(1);
  });

  it('preallocate the VUs that an overloaded server needs, if they are few', () => {
    const arrivalUsersFor = (perSecond: number, seconds: number): unknown => {
      const { script } = made({
        journey: page,
        timeoutSeconds: 12,
        load: { model: 'arrivals', stages: [{ name: 'a', kind: 'constant', perSecond, seconds }] },
      });
      return playK6(script, { onlyOne: true }).options['scenarios'];
    };
    expect(arrivalUsersFor(3, 60)).toMatchObject({ a: { preAllocatedVUs: 36, maxVUs: 10_000 } });
    // The number of VUs never exceeds the number of arrivals.
    expect(arrivalUsersFor(3, 5)).toMatchObject({ a: { preAllocatedVUs: 15 } });
    expect(arrivalUsersFor(50, 60)).toMatchObject({ a: { preAllocatedVUs: 200 } });
    expect(arrivalUsersFor(500, 60)).toMatchObject({ a: { preAllocatedVUs: 500 } });
  });

  it('preallocate the likely VUs of high rates, and report the response time that they cover', () => {
    type Load = Extract<PlanInput['load'], { model: 'arrivals' }>;
    const reported = (perSecond: readonly number[], more: Partial<PlanInput> = {}, load: Partial<Load> = {}) => {
      const stages = perSecond.map((each, index) => ({ name: `s${index}`, kind: 'constant' as const, perSecond: each, seconds: 60 }));
      const { script, notes } = made({ journey: page, ...more, load: { model: 'arrivals', ...load, stages } });
      const scenarios = Object.values(playK6(script, { onlyOne: true }).options['scenarios'] ?? {}) as { preAllocatedVUs: number }[];
      return {
        users: scenarios.map(({ preAllocatedVUs }) => preAllocatedVUs),
        notes: notes.filter((note) => note.includes('preAllocatedVUs')),
      };
    };
    expect([1_000, 4_000, 12_000].map((perSecond) => reported([perSecond]).users)).toEqual([[1_000], [1_000], [2_400]]);
    expect(reported([500]).notes).toEqual([]);
    expect(reported([4_000]).notes).toEqual([
      expect.stringContaining(
        '“s0” begins with 1,000 VUs, enough for responses of 0.25 s on average. For each further VU, k6 drops one arrival.',
      ),
    ]);
    // The VUs cover half of the time limit, up to the maximum of k6.
    const within = (maxMs: number) => reported([3_000], { criteria: [{ kind: 'responseTime', percentile: 95, maxMs }] }).users;
    expect([within(200), within(1_000), within(5_000)]).toEqual([[1_000], [1_500], [5_000]]);
    // VUs that pause are needed at any response time.
    const journey = [{ name: 'one' }, { name: 'two' }];
    expect(reported([1_000], { journey }, { thinkTime: { kind: 'fixed', seconds: 4 } }).users).toEqual([4_400]);
    // The number of VUs never exceeds the maximum in flight, so nothing is dropped that the plan would not drop.
    expect(reported([3_000], {}, { maxInFlight: 300 })).toEqual({ users: [300], notes: [] });
    // k6 keeps the VUs of a stage until its responses have arrived, while the next stages already have theirs.
    expect(reported([20_000, 20_000]).users).toEqual([2_500, 2_500]);
    expect(reported([6_000, 6_000, 6_000, 6_000, 6_000]).users).toEqual([1_200, 1_200, 1_000, 1_200, 1_200]);
    const many = Array.from({ length: 40 }, () => 200);
    expect(reported(many, { drainSeconds: 3_000 }).users).toEqual(many);
  });

  it('have readable rates', () => {
    const { script } = made({
      journey: page,
      load: {
        model: 'arrivals',
        stages: [
          { name: 'a', kind: 'count', arrivals: 200, seconds: 60 },
          { name: 'b', kind: 'constant', perSecond: 0.3, seconds: 150 },
          { name: 'c', kind: 'constant', perSecond: 15, seconds: 30 },
        ],
      },
    });
    expect(playK6(script).options['scenarios']).toMatchObject({
      a: { rate: 200, timeUnit: '60s' },
      b: { rate: 3, timeUnit: '10s' },
      c: { rate: 15, timeUnit: '1s' },
    });
  });

  it('respect the maximum in flight, and pause only between steps', () => {
    const steps = [{ name: 'one' }, { name: 'two', path: '2' }];
    const load: PlanInput['load'] = {
      model: 'arrivals',
      maxInFlight: 2,
      thinkTime: { kind: 'fixed', seconds: 5 },
      stages: [{ kind: 'constant', perSecond: 1, seconds: 10 }],
    };
    const { requests, iterations } = playK6(made({ journey: steps, load }).script, { latencySeconds: 1 });
    // Each of the two iterations of a VU takes 1 + 5 + 1 seconds.
    expect(iterations).toBe(4);
    const [first, second] = [requests.find(({ tags }) => tags['name'] === 'one'), requests.find(({ tags }) => tags['name'] === 'two')];
    expect((second?.atSecond ?? 0) - (first?.atSecond ?? 0)).toBeCloseTo(6, 6);
  });

  it('tag each request with the stage in which it is sent', () => {
    const load: PlanInput['load'] = {
      model: 'arrivals',
      thinkTime: { kind: 'fixed', seconds: 4 },
      stages: [
        { kind: 'count', arrivals: 2, seconds: 2 },
        { kind: 'count', arrivals: 2, seconds: 2 },
        { kind: 'pause', seconds: 2 },
      ],
    };
    const { requests } = playK6(made({ journey: [{ name: 'a' }, { name: 'b' }], load }).script, { latencySeconds: 0.1 });
    expect(requests.map(({ tags }) => `${tags['name']}${tags['holdfast_stage']}`)).toEqual([
      'a0',
      'a0',
      'a1',
      'a1',
      'b2',
      'b2',
      'b2',
      'b2',
    ]);
  });
});

describe('k6 scenarios for users', () => {
  const load: PlanInput['load'] = {
    model: 'users',
    thinkTime: { kind: 'fixed', seconds: 1 },
    stages: [
      { users: 4, startUpSeconds: 4, seconds: 10 },
      { users: 2, restSeconds: 3, seconds: 5 },
    ],
  };

  it('start users one by one, pause, and stop in time', () => {
    const { script } = made({ journey: page, load });
    const { requests } = playK6(script, { latencySeconds: 0.25 });
    // Start-ups have stage numbers of their own, which follow those of the stages.
    expect(Object.keys(countBy(requests, 'holdfast_stage'))).toEqual(['0', '1', '2']);
    const [firstStage, secondStage] = ['0', '1'].map((stage) => requests.filter(({ tags }) => tags['holdfast_stage'] === stage));
    expect(firstStage?.length).toBe(4 * (10 / 1.25));
    expect(secondStage?.length).toBe(2 * (5 / 1.25));
    expect(firstStage?.at(-1)?.atSecond).toBeLessThan(14);
    expect(secondStage?.[0]?.atSecond).toBe(17);
    expect(new Set(requests.map(({ vu }) => vu)).size).toBe(6);
  });

  it('keep users and their state in the next stage', () => {
    const { script } = made({
      cookies: 'user',
      journey: [
        { name: 'login', once: true },
        { name: 'read', path: 'read' },
      ],
      load: {
        model: 'users',
        stages: [
          { users: 2, startUpSeconds: 2, startUpCounts: true, seconds: 2 },
          { users: 2, seconds: 3, continues: true },
        ],
      },
    });
    const { requests, options } = playK6(script, {
      latencySeconds: 0.5,
      server: ({ tags }) => (tags['name'] === 'login' ? { cookies: ['sid=1'] } : {}),
    });
    expect(options).toMatchObject({ noCookiesReset: true });
    expect(countBy(requests, 'name')['login']).toBe(2);
    expect(requests.filter(({ tags }) => tags['name'] === 'read').every(({ cookies }) => cookies['sid'] === '1')).toBe(true);
    expect(Object.keys(countBy(requests, 'holdfast_stage'))).toEqual(['0', '1']);
  });

  it('send background requests during pauses', () => {
    const { script, notes } = made({
      cookies: 'user',
      journey: [
        { name: 'login', once: true },
        { name: 'read', thinkTime: { kind: 'fixed', seconds: 4 } },
        { name: 'news', path: 'news', background: { everySeconds: 2, after: 'login' } },
      ],
      load: { model: 'users', stages: [{ users: 3, seconds: 60 }] },
    });
    const { requests } = playK6(script);
    const news = requests.filter(({ tags }) => tags['name'] === 'news');
    expect(news.length).toBeGreaterThanOrEqual(3 * 28);
    expect(news.length).toBeLessThanOrEqual(3 * 30);
    expect(notes.join(' ')).toContain('beside a journey');
  });
});

describe('k6 scenarios for connections', () => {
  it('repeat until all requests are sent, stage after stage', () => {
    const { script, notes } = made({
      journey: [{ name: 'a' }, { name: 'b' }],
      load: {
        model: 'connections',
        stages: [
          { connections: 2, requests: 4 },
          { connections: 2, requests: 10 },
        ],
      },
    });
    const { requests } = playK6(script);
    expect(countBy(requests, 'holdfast_stage')).toEqual({ '0': 4, '1': 10 });
    expect(notes.join(' ')).toContain('The number of the journey identifies the stage');
  });

  it('repeat until the time is over', () => {
    const { script } = made({
      journey: page,
      load: {
        model: 'connections',
        stages: [
          { connections: 3, seconds: 2, counted: false },
          { connections: 5, seconds: 4 },
        ],
      },
    });
    expect(countBy(playK6(script, { latencySeconds: 0.125 }).requests, 'holdfast_stage')).toEqual({ '0': 3 * 16, '1': 5 * 32 });
  });

  it('are refused if the start of a stage is unknown', () => {
    const stages = [
      { connections: 1, requests: 4 },
      { connections: 2, seconds: 4 },
    ];
    expect(() => made({ journey: page, load: { model: 'connections', stages } })).toThrow('k6 starts scenarios only at fixed times');
    expect(() => made({ journey: page, load: brief, connections: { socketPath: '/run/x.sock' } })).toThrow('Unix socket');
  });
});

describe('k6 scenarios for users that stay', () => {
  it('keep users between stages, and start or stop only the difference', () => {
    const { script } = made({
      journey: page,
      load: {
        model: 'users',
        thinkTime: { kind: 'fixed', seconds: 1 },
        stages: [
          { users: 2, startUpSeconds: 2, seconds: 10 },
          { users: 6, startUpSeconds: 4, seconds: 10 },
          { users: 1, seconds: 10 },
          { users: 3, seconds: 5, continues: false },
        ],
      },
    });
    expect(script).toContain("{ target: 6, duration: '4s' }");
    expect(script).toMatch(/\{ target: 6, duration: '10s' \},\s*\{ target: 1, duration: '0s' \},\s*\{ target: 1, duration: '10s' \}/);
    expect(script).toMatch(/executor: 'constant-vus', vus: 3, startTime: '36s', duration: '5s'/);
  });

  it('start journeys at the pace of the plan', () => {
    const { script } = made({ journey: page, load: { model: 'users', paceSeconds: 2, stages: [{ users: 3, seconds: 9 }] } });
    const { requests } = playK6(script);
    expect(requests).toHaveLength(15);
  });
});
