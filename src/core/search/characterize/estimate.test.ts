import { describe, expect, it } from 'vitest';
import { findFullLevels, isSameRate, queueInterval, rateRatio, serviceInterval, findTimeout, workersInterval } from './conclusion.ts';
import { measureUnloadedTime, isFull, isRejecting, middleOf, chooseNextUsers, planOfUsers } from './levels.ts';
import { planWith } from '#core/testing/plans.ts';
import { calmReading } from './testing/frozenRuns.ts';

const alone = { meanMs: 100, standardDeviationMs: 20, responses: 400, overloadedSeconds: 0 };
const exact = { ...alone, standardDeviationMs: 0 };

describe('service time', () => {
  it('has the confidence interval of the mean, widened by 0.25 ms on each side', () => {
    // The half-width of the interval is 1.96 × 20 / √400 = 1.96.
    const { value, low, high } = serviceInterval(alone);
    expect([value, low, high]).toEqual([100, expect.closeTo(97.79, 3), expect.closeTo(102.21, 3)]);
    expect(serviceInterval({ ...alone, meanMs: 0.1, standardDeviationMs: 0 }).low).toBe(0);
  });

  it('pools the quickest run with up to four users and those within 5 %', () => {
    const two = [
      calmReading(1, { ok: 10, meanMs: 104, standardDeviationMs: 3 }),
      calmReading(2, { ok: 30, meanMs: 100, standardDeviationMs: 1 }),
    ];
    // The mean is 101, and the variance is (10 × (9 + 9) + 30 × (1 + 1)) / 40 = 6.
    expect(measureUnloadedTime(two)).toEqual({ meanMs: 101, standardDeviationMs: Math.sqrt(6), responses: 40, overloadedSeconds: 0 });
    expect(measureUnloadedTime([...two, calmReading(4, { meanMs: 106 }), calmReading(8, { meanMs: 50 })])).toMatchObject({ responses: 40 });
    expect(measureUnloadedTime([calmReading(2, { meanMs: 50, failed: 1 }), calmReading(1, { failed: 1, ok: 5 })])).toMatchObject({
      meanMs: 100,
      responses: 5,
    });
    expect(measureUnloadedTime([calmReading(1, { ok: 0, meanMs: null })])).toBeNull();
    expect(measureUnloadedTime([calmReading(8)])).toBeNull();
  });
});

describe('workers', () => {
  it("are rate × time (Little's law), weighted by responses", () => {
    const full = [
      calmReading(8, { ok: 100, okPerSecond: 40 }),
      calmReading(16, { ok: 300, okPerSecond: 44 }),
      calmReading(32, { okPerSecond: null }),
    ];
    expect(workersInterval(full, exact)).toMatchObject({ value: 4, low: 4, high: 4, perSecond: 43 });
    expect(workersInterval([], exact)).toBeNull();
    expect(workersInterval([calmReading(8, { okPerSecond: 1 })], exact)).toMatchObject({ value: 1, low: 1, high: 1 });
  });

  it('combine the errors of the time and the rate', () => {
    // The value is 20 workers. The error of the time is 12 / 100, and that of the rate is 1.96 × 0.6 / √100 + 2 / 100 = 0.138. Together
    // they are 0.183, so the interval is 16.3 to 23.7.
    const spread = { ...alone, standardDeviationMs: 60, responses: 100 };
    expect(workersInterval([calmReading(64, { ok: 100, okPerSecond: 200 })], spread)).toMatchObject({ value: 20, low: 16, high: 24 });
  });

  it('count as all busy if responses take at least 1.5 × the unloaded time, or if more than 5 % of requests are rejected', () => {
    expect([149, 150].map((meanMs) => isFull(calmReading(8, { meanMs }), alone))).toEqual([false, true]);
    expect([5, 6].map((failed) => isRejecting({ sent: 100, failed }))).toEqual([false, true]);
    expect(isRejecting({ sent: 0, failed: 0 })).toBe(false);
    expect(isFull(calmReading(8, { sent: 100, failed: 6 }), alone)).toBe(true);
    expect(isFull(calmReading(8, { meanMs: null }), alone)).toBe(true);
  });

  it('are not all busy in the run with the most users who did not wait', () => {
    const readings = [
      calmReading(1, { meanMs: 200 }),
      calmReading(2),
      calmReading(4, { meanMs: 110 }),
      calmReading(8, { meanMs: 111 }),
      calmReading(16, { meanMs: 180 }),
      calmReading(32, { meanMs: 360 }),
      calmReading(64, { meanMs: 700, ok: 0 }),
    ];
    const { full, free } = findFullLevels(readings, alone);
    expect(full.map(({ users }) => users)).toEqual([16, 32]);
    expect(free?.users).toBe(4);
    expect(findFullLevels([calmReading(2), calmReading(4, { failed: 1 }), calmReading(8, { meanMs: 150 })], alone).free?.users).toBe(2);
    expect(findFullLevels([calmReading(8, { meanMs: 150 })], alone).free).toBeNull();
  });

  it('have a constant rate within 15 %, however many users wait', () => {
    const rates = (...perSecond: number[]) =>
      rateRatio(perSecond.map((okPerSecond, index) => calmReading(8 * (index + 1), { okPerSecond })));
    expect([rates(40), rates(40, 46), rates(46, 40, 42)]).toEqual([null, 1.15, 1.15]);
    expect([1.15, 1.151].map(isSameRate)).toEqual([true, false]);
    expect(rateRatio([calmReading(8, { okPerSecond: 40 }), calmReading(16, { okPerSecond: 80, failed: 100 })])).toBeNull();
  });
});

describe('queueInterval', () => {
  const workers = { value: 4, low: 3, high: 5 };
  const turning = (changes = {}) =>
    calmReading(32, { sent: 500, ok: 400, failed: 100, refused: 100, okPerSecond: 40, meanMs: 350, ...changes });

  it('returns the number of users in the server minus the workers, with their error plus one', () => {
    // At 40 per second × 0.35 s, 14 requests are inside.
    expect(queueInterval([calmReading(8), turning()], alone, workers)).toEqual({ value: 10, low: 8, high: 12 });
    expect(queueInterval([turning({ meanMs: 100 })], alone, workers)).toEqual({ value: 0, low: 0, high: 2 });
  });

  it('needs users who are rejected at once', () => {
    const reported = (changes: object) => queueInterval([turning(changes)], alone, workers) !== null;
    expect(reported({ refused: 0, errorResponses: 100, errorP50Ms: 49 })).toBe(true);
    expect(reported({ refused: 0, errorResponses: 100, errorP50Ms: 50 })).toBe(false);
    expect([50, 51].map((refused) => reported({ refused }))).toEqual([false, true]);
    expect([reported({ okPerSecond: null }), reported({ meanMs: null }), reported({ failed: 20 })]).toEqual([false, false, false]);
  });
});

it('findTimeout: needs three failures with equal times, longer than a response', () => {
  const failing = (errorResponses: number, errorP50Ms: number | null, errorP95Ms: number | null) =>
    findTimeout([calmReading(8), calmReading(16, { errorResponses, errorP50Ms, errorP95Ms })], alone);
  expect([failing(3, 2_000, 2_100), failing(2, 2_000, 2_000), failing(3, 2_000, 2_101)]).toEqual([2_000, null, null]);
  expect([failing(3, 100, 101), failing(3, 101, 102), failing(3, null, 101), failing(3, 101, null)]).toEqual([null, 101, null, null]);
});

describe('chooseNextUsers', () => {
  const settings = { maxUsers: 128, secondsEach: 3 };

  it('starts with one user for the requested time, and repeats the run if there were fewer than eight responses', () => {
    expect(chooseNextUsers(settings, [])).toEqual({ users: 1, startUpSeconds: 0, seconds: 3, pauseSeconds: 0 });
    const slow = calmReading(1, { ok: 7, meanMs: 2_000 });
    expect(chooseNextUsers(settings, [slow])).toEqual({ users: 1, startUpSeconds: 0, seconds: 20, pauseSeconds: 0 });
    expect(chooseNextUsers(settings, [calmReading(1, { ok: 8, meanMs: 2_000 })])?.users).toBe(2);
    expect(chooseNextUsers(settings, [slow, slow])?.users).toBe(2);
    expect(chooseNextUsers(settings, [calmReading(1, { ok: 0, meanMs: null })])).toBeNull();
  });

  it('runs for twelve response times or five waits, at most a minute', () => {
    const seconds = (meanMs: number, last = meanMs) =>
      chooseNextUsers(settings, [calmReading(1, { meanMs }), calmReading(8, { meanMs: last })])?.seconds;
    expect([seconds(100), seconds(1_000), seconds(20_000)]).toEqual([3, 12, 60]);
    // Eight users wait 3 s each, so sixteen will wait 6 s.
    expect(seconds(1_000, 3_000)).toBe(30);
    expect(seconds(1_000, 1_400)).toBe(12);
  });

  it('starts users over the expected wait, with think times of 10 % of a response, at most a second', () => {
    const next = (meanMs: number, last = meanMs) =>
      chooseNextUsers(settings, [calmReading(1, { meanMs }), calmReading(8, { meanMs: last })]);
    expect(next(1_000)).toMatchObject({ users: 16, startUpSeconds: 1.1, pauseSeconds: 0.1 });
    expect(next(1_000, 3_000)).toMatchObject({ startUpSeconds: 6.1 });
    expect(next(100)).toMatchObject({ startUpSeconds: 0.2, pauseSeconds: 0.01 });
    expect(next(20_000)).toMatchObject({ pauseSeconds: 1 });
  });

  it('doubles the users up to the maximum, and ends after rejections', () => {
    const after = (users: number, changes = {}) =>
      chooseNextUsers({ ...settings, maxUsers: 100 }, [calmReading(1), calmReading(users, changes)])?.users;
    expect([after(8), after(64), after(100), after(8, { failed: 100 })]).toEqual([16, 100, undefined, undefined]);
  });

  it('keeps the journey of the plan', () => {
    const plan = planWith({ criteria: [{ kind: 'errors', maxShare: 0.1 }] });
    expect(planOfUsers(plan, { users: 8, startUpSeconds: 1, seconds: 9, pauseSeconds: 0.1 })).toMatchObject({
      criteria: [],
      load: { model: 'users', thinkTime: { seconds: 0.1 }, stages: [{ users: 8, startUpSeconds: 1, seconds: 9, counted: true }] },
    });
    expect([middleOf([]), middleOf([3, 1, 2]), middleOf([4, 1])]).toEqual([null, 2, 2.5]);
  });
});
