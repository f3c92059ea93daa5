import { describe, expect, it } from 'vitest';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith } from '#core/testing/windows.ts';
import { makeInput, judged, ownCriteria, type RunStory } from '../testing/judged.ts';
import { goodRate } from './throughput.ts';

const rate = (minPerSecond: number): Criterion => ({ kind: 'throughput', minPerSecond });
const each = { ok: [{ count: 20, ms: 5 }] };

function judgeStory(minPerSecond: number, story: Partial<RunStory> & Pick<RunStory, 'windows'>) {
  const plan = planWith({ load: stages({ connections: 1, seconds: 10 }), criteria: [rate(minPerSecond)] });
  return judged({ plan, ...story }).criteria[0];
}

describe('judgeThroughput', () => {
  it('passes at exactly the required rate and fails below it', () => {
    const windows = repeatedWindows(10, each);
    expect(judgeStory(20, { windows })).toMatchObject({
      outcome: 'passed',
      measured: 20,
      unit: 'perSecond',
      limit: 20,
      fromSecond: null,
      reason: '20 successful responses a second over 10 s, 20 required.',
    });
    expect(judgeStory(20.1, { windows })).toMatchObject({ outcome: 'failed', unknownBecause: null, measured: 20 });
    expect(judgeStory(20.1, { windows })?.reason).toMatch(/^Only 20 successful/);
  });

  it('states since when throughput was too low', () => {
    const windows = [...repeatedWindows(6, each), ...repeatedWindows(4, { second: 6, ok: [{ count: 3, ms: 5 }] })];
    expect(judgeStory(18, { windows })).toMatchObject({ outcome: 'failed', fromSecond: 6, measured: 13.2 });
  });

  it('returns unknown if the load generator was overloaded or could not start journeys', () => {
    const last = (facts: Parameters<typeof windowWith>[0]) => [...repeatedWindows(9, each), windowWith({ ...each, ...facts, second: 9 })];
    expect(judgeStory(21, { windows: last({ overloadedBy: ['steal'] }) })).toMatchObject({
      outcome: 'unknown',
      unknownBecause: 'generator',
    });
    expect(judgeStory(21, { windows: last({ notStarted: { generator: 1 } }) })).toMatchObject({
      outcome: 'unknown',
      unknownBecause: 'generator',
    });
    expect(judgeStory(21, { windows: last({ notStarted: { target: 1 } }) })).toMatchObject({ outcome: 'failed' });
    const afterwards = [...repeatedWindows(10, each), windowWith({ second: 10, overloadedBy: ['steal'] })];
    expect(judgeStory(21, { windows: afterwards })).toMatchObject({ outcome: 'failed' });
    expect(judgeStory(20, { windows: last({ overloadedBy: ['steal'] }) })?.reason).toMatch(
      /required\. This computer was overloaded at times/,
    );
  });

  it('needs five seconds to fail in a run that was cut short', () => {
    const cut = (seconds: number) => judgeStory(21, { windows: repeatedWindows(seconds, each), state: 'stopped', end: null });
    expect(cut(4)).toMatchObject({ outcome: 'unknown', measured: 20 });
    expect(cut(4)?.reason).toContain('That is too short to decide.');
    expect(cut(5)).toMatchObject({ outcome: 'failed' });
    const whole = planWith({ load: stages({ connections: 1, seconds: 2 }), criteria: [rate(21)] });
    expect(judged({ plan: whole, windows: repeatedWindows(2, each) }).criteria[0]).toMatchObject({ outcome: 'failed' });
  });

  it('returns unknown if nothing was sent', () => {
    expect(judgeStory(1, { windows: [], end: null })).toMatchObject({ outcome: 'unknown', unknownBecause: 'notMeasured', measured: null });
  });

  it('sums all steps, or one named step', () => {
    const plan = planWith({
      journey: [{ name: 'a' }, { name: 'b' }],
      load: arrivals([{ kind: 'constant', perSecond: 20, seconds: 10 }]),
      criteria: [rate(20), { ...rate(20), step: 'b' }],
    });
    const windows = Array.from({ length: 10 }, (_, second) => [
      windowWith({ second, ...each }),
      windowWith({ second, step: 1, ok: [{ count: 12, ms: 5 }] }),
    ]);
    expect(ownCriteria(judged({ plan, windows: windows.flat() }).criteria).map(({ step, measured }) => [step, measured])).toEqual([
      [null, 32],
      ['b', 12],
    ]);
  });

  it('counts the part of a window that lies within the load of the stage', () => {
    // The load of 2.5 s is in windows of 2 s: half a second of the second window counts, and nothing of the drain.
    const plan = planWith({ load: stages({ connections: 1, seconds: 2.5 }) });
    const windows = [1, 3, 5].map((second) => windowWith({ second, width: 2, ok: [{ count: 40, ms: 5 }] }));
    const end = {
      firstBodyLengths: [null],
      serverSoftware: null,
      addresses: {},
      endedAtSecond: 7,
      stages: [{ startedAtSecond: 1.5, endedAtSecond: 4 }],
    };
    const found = goodRate(makeInput({ plan, windows, end }), { stage: 0, step: 0 });
    expect(found?.seconds).toBe(2.5);
    expect(found?.blocks.map(({ second, width }) => [second, width])).toEqual([
      [1, 1.5],
      [3, 1],
      [5, 0],
    ]);
  });
});
