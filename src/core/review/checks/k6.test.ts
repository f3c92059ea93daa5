import { describe, expect, it } from 'vitest';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { checkPlan } from '../check.ts';

function listIssues(changes: Partial<PlanInput>): string[] {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'test',
    engine: 'k6',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page' }],
    load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 10, seconds: 60 }] },
    ...changes,
  });
  return checkPlan(plan)
    .filter(({ code }) => code.includes('K6'))
    .map(({ level, code, path }) => `${level} ${code} ${path}`);
}

describe('a plan for k6', () => {
  it('has no issue if k6 supports all of it', () => {
    expect(listIssues({})).toEqual([]);
    expect(listIssues({ load: { model: 'users', stages: [{ users: 5, seconds: 10 }] } })).toEqual([]);
  });

  it.each<[string, Partial<PlanInput>, string]>([
    [
      'Poisson arrivals',
      { load: { model: 'arrivals', spacing: 'poisson', stages: [{ kind: 'constant', perSecond: 10, seconds: 60 }] } },
      'error K6_SPACES_EVENLY load.spacing',
    ],
    [
      'a stage that is too short',
      { load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 1, seconds: 1.2 }] } },
      'error K6_TOO_SHORT load.stages[0]',
    ],
    [
      'something that is sent beside arrivals',
      { journey: [{ name: 'page' }, { name: 'news', background: { everySeconds: 5 } }] },
      'error K6_NOTHING_BESIDE journey',
    ],
    ['a Unix socket', { connections: { socketPath: '/run/app.sock' } }, 'error NOT_IN_K6 engine'],
    [
      'a stage that begins when another has sent its requests',
      {
        load: {
          model: 'connections',
          stages: [
            { connections: 2, requests: 10 },
            { connections: 3, requests: 10 },
          ],
        },
      },
      'error NOT_IN_K6 engine',
    ],
  ])('is refused for %s', (_name, changes, issue) => {
    expect(listIssues(changes)).toContain(issue);
  });

  it.each<[string, Partial<PlanInput>, string]>([
    ['a time limit for connecting', { connections: { connectSeconds: 1 } }, 'warning K6_DIFFERS connections'],
    ['resumed TLS sessions', { targets: [{ url: 'https://127.0.0.1/' }], tls: { resume: 0.5 } }, 'warning K6_DIFFERS tls.resume'],
    ['servers that name themselves', { servers: { header: 'X-Shard' } }, 'warning K6_DIFFERS servers'],
    [
      'stages of users',
      {
        load: {
          model: 'users',
          stages: [
            { users: 5, seconds: 10 },
            { users: 9, seconds: 10 },
          ],
        },
      },
      'warning K6_DIFFERS load.stages',
    ],
  ])('gets a warning where k6 behaves differently: %s', (_name, changes, issue) => {
    expect(listIssues(changes)).toContain(issue);
  });
});
