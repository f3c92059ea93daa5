import { describe, expect, it } from 'vitest';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { checkPlan } from '../check.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';

const listIssues = (changes: Partial<PlanInput>): ReturnType<typeof checkPlan> => checkPlan(planWith(changes));
const found = (changes: Partial<PlanInput>): string[] => listIssues(changes).map(({ level, code, path }) => `${level} ${code} ${path}`);

const p95 = { kind: 'responseTime', percentile: 95, maxMs: 800 } as const;
const two = [{ name: 'a' }, { name: 'b' }];
const targets = ['http://[::1]:1/', 'http://[::1]:2/', 'http://[::1]:3/'].map((url) => ({ url }));
const steady = { kind: 'constant', perSecond: 50, seconds: 60 } as const;
const week = 7 * 24 * 3_600;
const fixed = (seconds: number) => ({ kind: 'fixed', seconds }) as const;

describe('the check of arrivals and users', () => {
  it.each<[string, Partial<PlanInput>]>([
    ['a constant rate', { load: arrivals([steady]), criteria: [p95] }],
    [
      'an uncounted ramp and a pause before it',
      {
        load: arrivals([
          { kind: 'ramp', fromPerSecond: 0, toPerSecond: 50, seconds: 10, counted: false },
          { kind: 'pause', seconds: 5 },
          steady,
        ]),
        criteria: [p95],
      },
    ],
    ['a counted ramp without criteria', { load: arrivals([{ kind: 'ramp', fromPerSecond: 0, toPerSecond: 50, seconds: 10 }]) }],
    ['a million arrivals a second, evenly', { load: arrivals([{ kind: 'constant', perSecond: 1e6, seconds: 900 }]) }],
    ['users who start one after the other', { load: users([{ users: 500, startUpSeconds: 5, seconds: 60 }], fixed(5)), criteria: [p95] }],
    ['users who never pause', { load: users([{ users: 500, seconds: 60 }]), criteria: [p95] }],
    [
      'users with pauses that differ',
      { load: users([{ users: 500, seconds: 600 }], { kind: 'exponential', meanSeconds: 5 }), criteria: [p95] },
    ],
    ['a rate that leaves room for the last answers', { load: arrivals([steady]), criteria: [{ kind: 'throughput', minPerSecond: 48 }] }],
  ])('reports nothing about %s', (_, changes) => {
    expect(found(changes)).toEqual([]);
  });

  it.each<[string, Partial<PlanInput>, string]>([
    ['nothing but a pause', { load: arrivals([{ kind: 'pause', seconds: 9 }]) }, 'error NOTHING_BEGINS load.stages'],
    [
      'a rate too low for one arrival',
      { load: arrivals([{ kind: 'constant', perSecond: 0.01, seconds: 9 }]) },
      'error NOTHING_BEGINS load.stages',
    ],
    [
      'one stage among others in which nothing begins',
      { load: arrivals([steady, { kind: 'constant', perSecond: 0, seconds: 9 }]), criteria: [p95] },
      'warning NOTHING_BEGINS_HERE load.stages[1]',
    ],
    [
      'fewer arrivals than targets',
      { targets, load: arrivals([steady, { kind: 'count', arrivals: 2, seconds: 9 }]) },
      'warning FEWER_ARRIVALS_THAN_TARGETS load.stages[1]',
    ],
    [
      'fewer users than targets',
      { targets, load: users([{ users: 2, seconds: 9 }]) },
      'warning FEWER_USERS_THAN_TARGETS load.stages[0].users',
    ],
    [
      'more arrivals than a run may make, all stages together',
      {
        load: arrivals([
          { kind: 'constant', perSecond: 1e6, seconds: 600 },
          { kind: 'constant', perSecond: 1e6, seconds: 401 },
        ]),
      },
      'error TOO_MANY_REQUESTS load.stages',
    ],
    [
      'as many arrivals as may be, of two steps each',
      { journey: two, load: arrivals([{ kind: 'count', arrivals: 6e8, seconds: 6_000 }]) },
      'error TOO_MANY_REQUESTS load.stages',
    ],
    [
      'more requests of connections than a run may make',
      { load: stages({ connections: 1, requests: 1e9 }, { connections: 1, requests: 1 }) },
      'error TOO_MANY_REQUESTS load.stages',
    ],
    [
      'a plan of more than a week',
      {
        load: users([
          { users: 1, seconds: week },
          { users: 1, seconds: 1 },
        ]),
      },
      'error LOAD_TOO_LONG load.stages',
    ],
    [
      'more Poisson arrivals than can be drawn beforehand',
      { load: arrivals([{ kind: 'constant', perSecond: 1_000, seconds: 10_001 }], { spacing: 'poisson' }) },
      'error POISSON_TOO_LONG load.spacing',
    ],
    [
      'pauses from long to short',
      { load: users([{ users: 1, seconds: 60 }], { kind: 'uniform', fromSeconds: 3, toSeconds: 2 }) },
      'error THINK_TIME_REVERSED load.thinkTime',
    ],
    [
      'arrivals that would pause and have nothing to do after it',
      { load: arrivals([steady], { thinkTime: fixed(2) }) },
      'warning PAUSE_WITHOUT_NEXT load.thinkTime',
    ],
    [
      'a stage shorter than the pauses of one journey',
      { journey: two, load: users([{ users: 5, startUpSeconds: 2, seconds: 8 }], fixed(10)) },
      'warning STAGE_SHORTER_THAN_JOURNEY load.stages[0].seconds',
    ],
    [
      'users who come in waves',
      { load: users([{ users: 100, seconds: 60 }], fixed(5)) },
      'warning USERS_IN_STEP load.stages[0].startUpSeconds',
    ],
    [
      'a cap that answers within the limit would fill',
      { load: arrivals([steady], { maxInFlight: 39 }), criteria: [p95] },
      'warning CAP_TOO_LOW load.maxInFlight',
    ],
    [
      'a cap of the stage that pauses would fill',
      { journey: two, load: arrivals([{ ...steady, maxInFlight: 99 }], { thinkTime: fixed(2) }) },
      'warning CAP_TOO_LOW load.stages[0].maxInFlight',
    ],
    [
      'a ramp that is judged as one',
      { load: arrivals([{ kind: 'ramp', fromPerSecond: 1, toPerSecond: 50, seconds: 60 }]), criteria: [p95] },
      'warning RAMP_JUDGED_AS_ONE load.stages[0]',
    ],
    [
      'a spike that is judged as one',
      {
        load: arrivals([{ kind: 'spike', basePerSecond: 5, peakPerSecond: 50, secondsBefore: 9, peakSeconds: 9, secondsAfter: 9 }]),
        criteria: [p95],
      },
      'warning RAMP_JUDGED_AS_ONE load.stages[0]',
    ],
    [
      'too few arrivals',
      { load: arrivals([{ kind: 'count', arrivals: 58, seconds: 9 }]), criteria: [p95] },
      'warning TOO_FEW_REQUESTS criteria[0]',
    ],
    [
      'too few users for their pauses',
      { load: users([{ users: 5, startUpSeconds: 5, seconds: 50 }], fixed(5)), criteria: [p95] },
      'warning TOO_FEW_REQUESTS criteria[0]',
    ],
    [
      'a criterion for a pause',
      { load: arrivals([steady, { kind: 'pause', name: 'rest', seconds: 9 }]), criteria: [{ ...p95, stage: 'rest' }] },
      'error STAGE_NOT_COUNTED criteria[0].stage',
    ],
    [
      'more answers than are asked for',
      { load: arrivals([steady]), criteria: [{ kind: 'throughput', minPerSecond: 50 }] },
      'warning THROUGHPUT_ABOVE_LOAD criteria[0].minPerSecond',
    ],
    ['arrivals by autocannon', { engine: 'autocannon', load: arrivals([steady]) }, 'error MODEL_NOT_SUPPORTED load.model'],
    ['users by autocannon', { engine: 'autocannon', load: users([{ users: 1, seconds: 9 }]) }, 'error MODEL_NOT_SUPPORTED load.model'],
  ])('reports %s', (_, changes, expected) => {
    expect(found(changes)).toEqual([expected]);
  });

  it('reports the possible number of concurrent journeys', () => {
    const [issue] = listIssues({ load: arrivals([steady], { maxInFlight: 39 }), criteria: [p95] });
    expect(issue?.message).toContain('about 40 journeys');
    expect(found({ load: arrivals([steady], { maxInFlight: 40 }), criteria: [p95] })).toEqual([]);
  });

  it("counts all steps of a journey for total throughput, and one step for that step's throughput", () => {
    const load = arrivals([steady]);
    expect(found({ journey: two, load, criteria: [{ kind: 'throughput', minPerSecond: 98 }] })).toEqual([]);
    expect(found({ journey: two, load, criteria: [{ kind: 'throughput', step: 'a', minPerSecond: 98 }] })).toEqual([
      'warning THROUGHPUT_ABOVE_LOAD criteria[0].minPerSecond',
    ]);
  });

  it('reports the problems of plans of maximum size', () => {
    const long = { kind: 'steps', fromPerSecond: 1e6, toPerSecond: 1e6, steps: 1_000, secondsEach: week } as const;
    expect(
      found({
        load: arrivals(
          Array.from({ length: 200 }, () => long),
          { spacing: 'poisson' },
        ),
      }),
    ).toEqual(['error POISSON_TOO_LONG load.spacing', 'error LOAD_TOO_LONG load.stages', 'error TOO_MANY_REQUESTS load.stages']);
  });
});
