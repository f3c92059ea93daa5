import { describe, expect, it } from 'vitest';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, users } from '#core/testing/plans.ts';
import { predict } from './conclusion.ts';
import { failedLevel, passedLevel } from './testing/levelReadings.ts';

const open = planWith({ load: arrivals([{ kind: 'constant', perSecond: 50, seconds: 30 }]) });
const thinkTime = { kind: 'fixed', seconds: 2 } as const;
const crowd = (pause?: Parameters<typeof users>[1], criteria: Criterion[] = []) =>
  planWith({ load: users([{ users: 30, seconds: 60 }], pause), criteria });
/** Returns two levels with the given mean response time at the lightest level and the given maximum throughput. */
const of = (meanMs: number, perSecond: number) => [passedLevel(5, { meanMs }), failedLevel(100, { okPerSecond: perSecond })];

describe('predict', () => {
  it('divides workers by the response time at a rate: 4 workers of 200 ms sustain 20 per second', () => {
    expect(predict(open, of(200, 19.8))).toMatchObject({
      level: 20,
      serviceMs: 200,
      workers: expect.closeTo(3.96, 9),
      saturatedPerSecond: 19.8,
    });
    expect(predict(open, of(200, 19.8))?.text).toBe(
      '19.8 responses/s × 200 ms each = 3.96 in progress at a time, so 4 workers: a queue grows from 4 / 200 ms = 20/s on.',
    );
    expect(predict(open, of(200, 5))?.text).toContain('so 1 worker: a queue grows from 1 / 200 ms = 5/s on.');
  });

  it.each([
    ['0.15 of a few workers', 2.15, 2],
    ['more than that', 2.2, null],
    ['10 % of many workers', 10.9, 11],
    ['0.15 below one', 0.86, 1],
    ['more below one', 0.8, null],
    ['64', 64, 64],
    ['65', 65, null],
  ])('rounds workers to an integer within %s: %d', (_, workers, whole) => {
    const found = predict(open, of(1_000, workers));
    expect(found?.level).toBeCloseTo(whole ?? workers, 9);
    expect(found?.text.includes('workers') || found?.text.includes('1 worker:')).toBe(whole !== null);
  });

  it('returns for users the number at which times reach the criterion, or at which waiting begins: N* = X (L + Z)', () => {
    const limit = (maxMs: number): Criterion => ({ kind: 'responseTime', percentile: 95, maxMs });
    expect(predict(crowd(thinkTime, [limit(3_000), limit(1_000)]), of(200, 20))?.level).toBe(60);
    expect(predict(crowd(thinkTime), of(200, 20))).toMatchObject({ level: 44 });
    expect(predict(crowd(), of(200, 20))?.text).toBe(
      '20 responses/s × 200 ms each = 4 in progress at a time. Waiting begins at 20/s × (200 ms) = 4.',
    );
    expect(predict(crowd(thinkTime, [limit(1_000)]), of(200, 20))?.text).toMatch(
      / Times reach the criterion at 20\/s × \(the criterion of 1 s and 2 s of think time\) = 60\.$/,
    );
    expect(predict(crowd({ kind: 'uniform', fromSeconds: 1, toSeconds: 3 }), of(200, 20))?.level).toBe(44);
    expect(predict(crowd({ kind: 'exponential', meanSeconds: 2 }), of(200, 20))?.level).toBe(44);
  });

  it('uses the lightest passed level with ten responses, and the maximum throughput of a failed one', () => {
    const few = passedLevel(1, { meanMs: 10, sent: 20, failed: 11 });
    const ten = passedLevel(2, { meanMs: 100, sent: 20, failed: 10 });
    const busier = passedLevel(20, { meanMs: 900 });
    const levels = [
      busier,
      few,
      ten,
      failedLevel(100, { okPerSecond: 30 }),
      failedLevel(90, { okPerSecond: 40 }),
      failedLevel(80, { okPerSecond: 20 }),
    ];
    expect(predict(open, levels)).toMatchObject({ serviceMs: 100, saturatedPerSecond: 40, level: 40 });
    expect(predict(open, [failedLevel(1, { meanMs: 10 }), ...levels])).toMatchObject({ serviceMs: 100 });
  });

  it('returns null if no level failed or none passed', () => {
    expect(predict(open, [passedLevel(5), passedLevel(10)])).toBeNull();
    expect(predict(open, [failedLevel(100)])).toBeNull();
    expect(predict(open, [passedLevel(5), failedLevel(100, { okPerSecond: null })])).toBeNull();
    expect(predict(open, [passedLevel(5, { meanMs: null }), failedLevel(100)])).toBeNull();
    const because = (['queue', 'criterion', 'outstanding', 'errors', 'safety', 'generator'] as const).filter(
      (reason) => predict(open, [passedLevel(5), failedLevel(100, { because: reason })]) !== null,
    );
    expect(because).toEqual(['queue', 'criterion', 'outstanding']);
  });

  it('ignores levels with a freeze', () => {
    const freeze = { seconds: 30, fromSecond: 0, inFlight: 9, kind: null, pool: null };
    expect(predict(open, [passedLevel(5), failedLevel(100, { freeze })])).toBeNull();
  });
});
