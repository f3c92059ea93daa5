import { describe, expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { judged } from '../testing/judged.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

/** Returns the judgement of an Apdex criterion: satisfied within 100 ms, tolerating within 400 ms. */
function apdex(min: number, facts: WindowFacts, windows = repeatedWindows(10, facts)): CriterionResult | undefined {
  const plan = planWith({ load: stages({ connections: 1, seconds: 10 }), criteria: [{ kind: 'apdex', thresholdMs: 100, min }] });
  return judged({ plan, windows }).criteria[0];
}
const times = (satisfied: number, tolerating: number, frustrated: number): WindowFacts => ({
  ok: [
    { count: satisfied, ms: 40 },
    { count: tolerating, ms: 200 },
    { count: frustrated, ms: 900 },
  ],
});

describe('judgeApdex', () => {
  it('follows the specification: (satisfied + tolerating / 2) / all, counting failures as frustrated', () => {
    expect(apdex(0.5, times(60, 30, 10))?.measured).toBeCloseTo(0.75, 9);
    expect(apdex(0.5, { ...times(60, 30, 0), failed: { httpError: 10 } })?.measured).toBeCloseTo(0.75, 9);
    expect(apdex(0.5, times(60, 30, 10))?.reason).toBe('Apdex 0.75 (Fair) for 100 ms from 1,000 requests, 0.50 required.');
  });

  it('decides only if the bounds of the satisfied and the tolerating share exclude the minimum', () => {
    // The bounds are 0.75 ± half of both intervals of 1,000 requests, which is at most about 0.026.
    const at = (min: number) => apdex(min, times(60, 30, 10))?.outcome;
    expect([0.7, 0.74, 0.76, 0.8].map(at)).toEqual(['passed', 'unknown', 'unknown', 'failed']);
    expect(apdex(0.76, times(60, 30, 10))).toMatchObject({ unknownBecause: 'tooClose', fromSecond: null });
    expect(apdex(0.7, times(60, 30, 10))?.fromSecond).toBeNull();
  });

  it('states since when the criterion failed', () => {
    const windows = [...repeatedWindows(4, times(100, 0, 0)), ...repeatedWindows(6, { second: 4, ...times(0, 100, 0) })];
    expect(apdex(0.9, {}, windows)).toMatchObject({ outcome: 'failed', fromSecond: 4 });
    const frustrated = [...repeatedWindows(8, times(100, 0, 0)), ...repeatedWindows(2, { second: 8, ...times(0, 0, 100) })];
    expect(apdex(0.95, {}, frustrated)?.measured).toBeCloseTo(0.8, 9);
  });

  it('adds to the reason that the Apdex rests on fewer than 100 requests', () => {
    const of = (count: number) =>
      apdex(0.99, {}, [
        windowWith({
          ok: [
            { count: count - 1, ms: 40 },
            { count: 1, ms: 900 },
          ],
        }),
      ]);
    expect(of(99)).toMatchObject({ outcome: 'unknown', unknownBecause: 'tooFew' });
    expect(of(99)?.reason).toMatch(/: too close to call\. It rests on fewer than 100 requests\.$/);
    expect(of(100)).toMatchObject({ outcome: 'unknown', unknownBecause: 'tooClose' });
    expect(of(100)?.reason).not.toContain('fewer than');
  });

  it('returns unknown if only overloaded seconds decide', () => {
    const windows = Array.from({ length: 10 }, (_, second) =>
      windowWith(second % 2 === 0 ? { second, ...times(100, 0, 0) } : { second, ...times(80, 0, 20), overloadedBy: ['steal'] }),
    );
    expect(apdex(0.9, {}, windows)).toMatchObject({ outcome: 'unknown', unknownBecause: 'generator' });
    expect(apdex(0.5, {}, windows)).toMatchObject({ outcome: 'passed' });
  });

  it('returns unknown if overloaded seconds widen the bounds of the violations that are certain', () => {
    const heldUp = (healthy: WindowFacts) =>
      Array.from({ length: 10 }, (_, second) =>
        windowWith(
          second === 3 || second === 6 ? { second, ...times(20, 30, 50), overloadedBy: ['eventLoopDelay'] } : { second, ...healthy },
        ),
      );
    expect(apdex(0.95, {}, heldUp(times(100, 0, 0)))).toMatchObject({ outcome: 'unknown', unknownBecause: 'generator' });
    expect(apdex(0.95, {}, heldUp(times(90, 8, 2)))).toMatchObject({ outcome: 'unknown', unknownBecause: 'tooClose' });
  });
});
