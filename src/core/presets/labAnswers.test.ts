import { describe, expect, it } from 'vitest';
import { planWith, users } from '#core/testing/plans.ts';
import { privilegesQuery } from './database.ts';
import { fillLabAnswers, labAnswersWhileRunning } from './lab.ts';
import { scaleTimesOfPlan, levelsAtTimeScale } from './build.ts';

describe('values of a practice server', () => {
  const addresses = [
    { label: 'Contest', url: 'http://127.0.0.1:8001/contest' },
    { label: 'Oracle', url: 'https://127.0.0.1:8002' },
  ];
  const lab = { folder: '/tmp/lab', control: '/tmp/lab.sock', addresses } as unknown as Parameters<typeof fillLabAnswers>[1];
  const preset = {
    labAnswers: {
      file: '{lab.folder}/a.csv',
      socket: '{lab.control}',
      oracle: 'http://{lab.host.Oracle}/x and {lab.host.Contest}',
      nobody: '[{lab.host.Nobody}]',
      other: '{lab.other}',
      count: 750,
    },
  };

  it('contain the folder, the socket and the addresses of the server', () => {
    expect(fillLabAnswers(preset, lab)).toEqual({
      file: '/tmp/lab/a.csv',
      socket: '/tmp/lab.sock',
      oracle: 'http://127.0.0.1:8002/x and 127.0.0.1:8001',
      nobody: '[]',
      other: '{lab.other}',
      count: 750,
    });
  });

  it('are absent unless the server runs', () => {
    expect(Object.keys(labAnswersWhileRunning(preset, lab))).toHaveLength(6);
    expect(labAnswersWhileRunning(preset, { ...lab, folder: null })).toEqual({});
    expect(labAnswersWhileRunning(preset, { ...lab, control: null })).toEqual({});
  });
});

describe('a time scale', () => {
  const plan = planWith({
    load: users([{ users: 40, startUpSeconds: 20, seconds: 60 }], { kind: 'fixed', seconds: 5 }),
    criteria: [
      { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
      { kind: 'throughput', minPerSecond: 7 },
      { kind: 'errors', maxShare: 0.01 },
    ],
    journey: [
      {
        name: 'wait',
        query: { seconds: '30' },
        budgetMs: 800,
        poll: { firstSeconds: 2, mostSeconds: 90, until: [{ kind: 'contains', text: 'done' }] },
      },
    ],
    timeoutSeconds: 30,
    drainSeconds: 50,
    safety: { maxSeconds: 400 },
  });
  const faster = scaleTimesOfPlan(plan, 10) as typeof plan;

  it('shortens times and raises rates, with the same users', () => {
    expect(faster.load).toMatchObject({ thinkTime: { seconds: 0.5 }, stages: [{ users: 40, startUpSeconds: 2, seconds: 6 }] });
    expect(faster.criteria).toMatchObject([{ percentile: 95, maxMs: 100 }, { minPerSecond: 70 }, { maxShare: 0.01 }]);
    expect(faster).toMatchObject({ timeoutSeconds: 3, drainSeconds: 5, safety: { maxSeconds: 40 } });
    expect(faster.journey[0]).toMatchObject({ budgetMs: 80, poll: { firstSeconds: 0.2, mostSeconds: 9 } });
  });

  it('does not change the contents of requests', () => {
    expect(faster.journey[0]?.query).toEqual({ seconds: '30' });
    expect(faster.journey[0]?.poll?.until).toEqual(plan.journey[0]?.poll?.until);
  });

  it('keeps time-outs of at least 1 s, and changes nothing at factor 1', () => {
    expect((scaleTimesOfPlan(plan, 100) as typeof plan).timeoutSeconds).toBe(1);
    expect(scaleTimesOfPlan(plan, 1)).toBe(plan);
    expect((scaleTimesOfPlan(planWith(), 3) as typeof plan).load).toMatchObject({ stages: [{ seconds: 20 }] });
    expect(scaleTimesOfPlan(planWith(), 2)).not.toHaveProperty('drainSeconds');
  });

  it('applies to the levels of a series', () => {
    expect(levelsAtTimeScale({ seconds: [60], perSecond: [5, 7], users: [10] }, 10)).toEqual({
      seconds: [6],
      perSecond: [50, 70],
      users: [10],
    });
  });
});

it('privilegesQuery: queries only visible states, and a table only if rows are counted', () => {
  expect(privilegesQuery(undefined)).toContain("'counts', NULL)");
  expect(privilegesQuery({ table: 'rows', column: 'id' })).toContain("to_regclass('rows') IS NULL THEN 'noTable'");
});
