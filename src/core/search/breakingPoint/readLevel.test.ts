import { formatVerdict } from '#core/judgement/verdict/labels.ts';
import { describe, expect, it } from 'vitest';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { randomFrom, buildRunResult, simulate, type SimulatedServer } from '#core/testing/queueRun.ts';
import { planOfLevel } from './levels.ts';
import { readLevel } from './readLevel.ts';
import { breakingPointSettingsSchema } from './schema.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 40, seconds: 10 }]) });
const settings = breakingPointSettingsSchema.parse({});
const TEXT = 'Stopped for safety: the run has lasted 12 s, the maximum of the plan.';

/** Returns the reading of a run at 40 per second that a limit of the plan cut off with the given number in flight. */
function readCut(server: SimulatedServer, inFlight: number) {
  const levelPlan = planOfLevel(plan, 40, settings, []);
  const result = buildRunResult(levelPlan, simulate(levelPlan, server, randomFrom(1)));
  const cut: RunResult = {
    ...result,
    run: { ...result.run, endedBecause: { code: 'safety', text: TEXT } },
    stages: result.stages.map((stage) => ({ ...stage, requests: { ...stage.requests, inFlight, ok: stage.requests.ok - inFlight } })),
  };
  return readLevel(cut, 40);
}
const steady = (random: () => number): number => 99 + 2 * random();

it('readLevel: counts a level with an inconclusive run as passed, but not as certain', () => {
  const levelPlan = planOfLevel(plan, 40, settings, []);
  const result = buildRunResult(levelPlan, simulate(levelPlan, { workers: 8, serviceMs: steady }, randomFrom(1)));
  expect(readLevel(result, 40)).toMatchObject({ outcome: 'passed', isSure: true });
  const parts = { load: '', cause: 'no usable data.', more: '' };
  const verdict = { ...result.verdict, outcome: 'inconclusive' as const, ...formatVerdict('inconclusive', parts) };
  expect(readLevel({ ...result, verdict }, 40)).toMatchObject({
    outcome: 'passed',
    isSure: false,
    text: 'Counted as passed: no usable data.',
  });
});

it('readLevel: reports how many requests of each step were refused', () => {
  const levelPlan = planOfLevel(plan, 40, settings, []);
  const read = (status: number) =>
    readLevel(buildRunResult(levelPlan, simulate(levelPlan, { workers: 8, serviceMs: steady, refuses: () => status }, randomFrom(1))), 40)
      .refused;
  expect(read(403)).toMatchObject([{ step: 'page', refused: expect.toSatisfy((count: number) => count > 300) }]);
  expect(read(500)).toBeUndefined();
});

describe('a level that a limit of the plan cut off', () => {
  it('is unclear if the server responded to all requests', () => {
    expect(readCut({ workers: 8, serviceMs: steady }, 5)).toMatchObject({ outcome: 'unclear', because: 'cutOff', text: TEXT });
  });

  it('failed if the number in flight grew', () => {
    expect(readCut({ workers: 3, serviceMs: steady }, 90)).toMatchObject({ outcome: 'failed', because: 'safety', text: TEXT });
  });

  it('failed without any response, or with more than 1 % failures', () => {
    expect(readCut({ workers: 8, serviceMs: steady, refuses: () => 500 }, 0)).toMatchObject({ outcome: 'failed', because: 'safety' });
    const seldom = (n: number): number | null => (n % 10 === 0 ? 500 : null);
    expect(readCut({ workers: 8, serviceMs: steady, refuses: seldom }, 0)).toMatchObject({ outcome: 'failed', because: 'safety' });
  });
});

describe('readLevel: what a criterion counted', () => {
  const levelPlan = planOfLevel({ ...plan, criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 50 }] }, 40, settings, []);
  const result = buildRunResult(levelPlan, simulate(levelPlan, { workers: 8, serviceMs: steady }, randomFrom(1)));
  const [slow] = result.criteria;

  it('is kept for a level whose responses were all successful but too slow', () => {
    const reading = readLevel(result, 40);
    expect(reading).toMatchObject({ outcome: 'failed', because: 'criterion', failed: 0 });
    expect(reading.missed).toEqual({ over: slow?.over, counted: slow?.counted, of: 'responses' });
    expect(reading.missed?.over).toBeGreaterThan(0);
  });

  it('is people for a criterion of people, by the noun of the plan', () => {
    if (slow === undefined) throw new TypeError('No criterion was judged.');
    const criteria = [{ ...slow, isOfPeople: true as const, over: 15, counted: 24 }];
    const people = { one: 'pupil', many: 'pupils', milestones: { started: 'page' } };
    expect(readLevel({ ...result, criteria }, 24).missed).toEqual({ over: 15, counted: 24, of: 'people' });
    expect(readLevel({ ...result, criteria, plan: { ...result.plan, people } }, 24).missed).toMatchObject({ of: 'pupils' });
  });

  it('is missing for a criterion without a share, and for a level that passed', () => {
    const criteria = result.criteria.map((one) => ({ ...one, counted: null, over: null }));
    expect(readLevel({ ...result, criteria }, 40).missed).toBeUndefined();
    expect(readLevel({ ...result, criteria: [] }, 40).missed).toBeUndefined();
  });
});

it('readLevel: mentions criteria only if there are some', () => {
  const textWith = (criteria: Plan['criteria']): string => {
    const levelPlan = planOfLevel({ ...plan, criteria }, 40, settings, []);
    return readLevel(buildRunResult(levelPlan, simulate(levelPlan, { workers: 8, serviceMs: steady }, randomFrom(1))), 40).text;
  };
  expect(textWith([])).toBe('The queue did not grow during the level, and no request failed. No pass criteria were set.');
  expect(textWith([{ kind: 'responseTime', percentile: 95, maxMs: 1_000 }])).toBe('All pass criteria passed, and no queue grew.');
});

describe('a level of connections whose warm-up', () => {
  const byConnections = planWith({ load: { model: 'connections', stages: [{ connections: 8, seconds: 10 }] } });
  const levelPlan = planOfLevel(byConnections, 8, settings, []);
  const result = buildRunResult(levelPlan, simulate(levelPlan, { workers: 8, serviceMs: steady }, randomFrom(1)));
  /** Returns a result in which the level begins after the last response of the warm-up and lasts its whole time. */
  const begunAfter = (late: number): RunResult => ({
    ...result,
    stages: result.stages.map((stage) =>
      stage.counted
        ? { ...stage, startedAtSecond: (stage.startedAtSecond ?? 0) + late, endedAtSecond: (stage.endedAtSecond ?? 0) + late }
        : stage,
    ),
  });

  it('froze: the level failed, whatever followed', () => {
    expect(readLevel(begunAfter(58), 8)).toMatchObject({
      outcome: 'failed',
      because: 'outstanding',
      text: 'Responses to the first requests took 60 s, longer than a level lasts.',
    });
  });

  it('froze: the level failed even if its time-outs stopped it for safety', () => {
    const late = begunAfter(118);
    const stopped: RunResult = { ...late, run: { ...late.run, endedBecause: { code: 'safety', text: TEXT } } };
    expect(readLevel(stopped, 8)).toMatchObject({ outcome: 'failed', because: 'outstanding' });
  });

  it('ended in time: the level passed, within its duration', () => {
    const outcomes = [3, 9.9, 10].map((late) => readLevel(begunAfter(late), 8).outcome);
    expect(outcomes).toEqual(['passed', 'passed', 'failed']);
  });

  it('was skipped: the level cannot be late', () => {
    const cold = planOfLevel(byConnections, 8, { ...settings, warmUpSeconds: 0 }, []);
    const at = buildRunResult(cold, simulate(cold, { workers: 8, serviceMs: steady }, randomFrom(1)));
    expect(readLevel(at, 8)).toMatchObject({ outcome: 'passed', because: 'fine' });
  });
});
