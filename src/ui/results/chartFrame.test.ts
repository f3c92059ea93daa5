import { describe, expect, it } from 'vitest';
import { drawnWindows, endOf, shadedRanges, stageBands } from './chartFrame.ts';
import { sampleResult } from './testing/result.ts';

describe('endOf', () => {
  it('is the end of what was measured when the run was cut off', () => {
    expect(endOf(sampleResult({ durationSeconds: null }))).toBe(330);
    expect(endOf(sampleResult({ durationSeconds: null, windows: [] }))).toBe(1);
  });
});

describe('drawnWindows', () => {
  const { windows } = sampleResult();
  const last = windows.at(-1);
  const second = last?.second ?? 0;
  const whole = second + (last?.width ?? 1);

  it('leaves whole seconds alone', () => {
    expect(drawnWindows(sampleResult({ durationSeconds: whole }))).toEqual(windows);
    expect(drawnWindows(sampleResult({ durationSeconds: null }))).toEqual(windows);
  });

  it('takes the rate of the last part of a second over that part, and draws none over a moment', () => {
    expect(drawnWindows(sampleResult({ durationSeconds: whole - 0.25 })).at(-1)?.width).toBeCloseTo((last?.width ?? 1) - 0.25);
    expect(drawnWindows(sampleResult({ durationSeconds: second + 0.1 }))).toEqual(windows.slice(0, -1));
  });
});

describe('stageBands', () => {
  it('leaves out stages that never began and names the drain when it took time', () => {
    const [warmUp, full] = sampleResult().stages;
    if (!warmUp || !full) throw new Error('the sample has two stages');
    const bands = stageBands(
      sampleResult({ durationSeconds: 340, stages: [warmUp, { ...full, startedAtSecond: null, endedAtSecond: null }] }),
    );
    expect(bands).toEqual([
      { name: 'warm-up', counted: false, from: 0, to: 30 },
      { name: 'last answers', counted: false, from: 30, to: 340 },
    ]);
  });
});

describe('shadedRanges', () => {
  it('shows ranges under the numbers of their findings', () => {
    const result = sampleResult();
    const [finding] = result.findings;
    if (!finding) throw new Error('the sample has a finding');
    const findings = [
      { ...finding, range: null },
      { ...finding, level: 'problem' as const, range: { fromSecond: 5, toSecond: 9 } },
    ];
    expect(shadedRanges({ ...result, objectives: [], findings })).toEqual([{ from: 5, to: 9, label: '2', tone: 'breaks' }]);
  });

  it('shows from where on the first limit was missed', () => {
    const result = sampleResult();
    const objectives = result.objectives.map((one) => ({ ...one, outcome: 'breaks' as const, fromSecond: 160, stage: 'full load' }));
    expect(shadedRanges({ ...result, findings: [], objectives })).toEqual([{ from: 160, to: 330, label: 'limit missed', tone: 'breaks' }]);
  });
});
