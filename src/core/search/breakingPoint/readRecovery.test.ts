import { describe, expect, it } from 'vitest';
import type { Recovery } from '#core/result/behaviour.ts';
import type { RunResult } from '#core/result/schema.ts';
import { samplePoint } from '#core/testing/points.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { readRecovery } from './readLevel.ts';

const LIMIT = 40;

/**
 * Returns the result of 10 s of calm, 10 s of overload, and calm again, with the given numbers in flight at the end of each second.
 * Responses take 100 ms, so 4 are in progress.
 */
function result(inFlight: readonly number[], recovery: Partial<Recovery> | null = {}, changes: Partial<RunResult> = {}): RunResult {
  const sample = sampleResult();
  const [stage] = sample.stages;
  if (stage === undefined) throw new Error('the sample has a stage');
  const { latencyByStatusClass: _classes, ...rest } = stage;
  const stages = [0, 10, 20].map((startedAtSecond, index) => ({
    ...rest,
    name: ['calm', 'too much', 'calm again'][index] ?? '',
    latencyByStatusClass: {},
    latency: { ...stage.latency, service: { ...stage.latency.service, mean: 100 } },
    startedAtSecond,
    endedAtSecond: startedAtSecond + (index === 2 ? inFlight.length : 10),
  }));
  const calm = Array.from({ length: 10 }, (_, second) => samplePoint(second, { inFlight: second === 0 ? 99 : 2 }));
  const much = Array.from({ length: 10 }, (_, second) => samplePoint(10 + second, { inFlight: 20 * second }));
  const after = inFlight.map((count, second) => samplePoint(20 + second, { inFlight: count }));
  const found: Recovery = {
    stage: 'too much',
    shape: null,
    level: 60,
    unit: null,
    endedAtSecond: 20,
    seconds: 6,
    resolutionSeconds: 2,
    watchedSeconds: 30,
    beforeMs: 100,
    worstMs: 900,
    reason: null,
    ...recovery,
  };
  const recoveries = recovery === null ? [] : [found];
  const behaviour = { firstResponses: [], queues: [], bursts: null, capacity: null, groups: null, recoveries };
  return { ...sample, stages, windows: [...calm, ...much, ...after], behaviour, run: { ...sample.run, endedBecause: null }, ...changes };
}
const seconds = (inFlight: readonly number[], recovery: Partial<Recovery> = {}) =>
  readRecovery(result(inFlight, recovery), LIMIT, 10).seconds;

describe('readRecovery', () => {
  it('interpolates when the queue falls to the number in progress', () => {
    // The number falls from 24 at the end of the third second to 0 at the end of the fourth. After 20 of these 24, 4 are left.
    expect(seconds([72, 48, 24, 0, 1, 2, 3])).toBeCloseTo(3 + 20 / 24, 9);
    expect(seconds([72, 48, 24, 4, 4, 4])).toBeCloseTo(4, 9);
  });

  it('ignores a queue that is short in only one of three consecutive seconds', () => {
    expect(seconds([72, 3, 48, 30, 14, 3, 3, 3])).toBeCloseTo(5 + 10 / 11, 9);
  });

  it('uses the response times, minus half of their resolution, if the queue is unknown', () => {
    expect(seconds([72, 48, 24])).toBe(5);
    expect(seconds([3, 3, 3])).toBe(5);
    expect(seconds([72, 48], { seconds: 0.5 })).toBe(0);
    expect(seconds([72, 48, 24, 0, 0, 0], { seconds: null })).toBeNull();
  });

  it('accepts a queue that is short in two of three consecutive seconds', () => {
    // The number falls from 72 to 3. After 68 of these 69, 4 are left.
    expect(seconds([72, 3, 48, 2, 3, 3])).toBeCloseTo(1 + 68 / 69, 9);
  });

  it('uses the response times if the calm before is too short or has no mean', () => {
    const after = [72, 48, 24, 0, 0, 0];
    const whole = result(after);
    const read = (stages: RunResult['stages']) => readRecovery({ ...whole, stages }, LIMIT, 10).seconds;
    const calmFor = (endedAtSecond: number) => whole.stages.map((one, index) => (index === 0 ? { ...one, endedAtSecond } : one));
    expect(read(calmFor(4))).toBeCloseTo(3 + 20 / 24, 9);
    expect([read(calmFor(3)), read(whole.stages.slice(0, 1))]).toEqual([5, 5]);
    const never = whole.stages.map((one) => ({
      ...one,
      latency: { ...one.latency, service: { ...one.latency.service, mean: 'never' as const } },
    }));
    expect(read(never)).toBe(5);
  });

  it('reports the loads and times', () => {
    expect(readRecovery(result([72, 0, 0, 0]), LIMIT, 10)).toMatchObject({
      calmLevel: 20,
      overloadLevel: 60,
      overloadSeconds: 10,
      resolutionSeconds: 2,
      watchedSeconds: 30,
      beforeMs: 100,
      worstMs: 900,
      reason: null,
    });
  });

  it('returns an unknown time for a run that was cut off, or without times to compare', () => {
    const cut = { run: { ...sampleResult().run, endedBecause: { code: 'user' as const, text: 'You stopped it.' } } };
    expect(readRecovery(result([72, 0], {}, cut), LIMIT, 10)).toMatchObject({
      seconds: null,
      reason: 'You stopped it.',
      watchedSeconds: 0,
    });
    expect(readRecovery(result([72, 0], null), LIMIT, 10).reason).toBe('There were too few responses to compare times with.');
  });
});
