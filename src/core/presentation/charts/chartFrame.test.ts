import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { endOf, shadedRanges, stageBands } from './chartFrame.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';

describe('endOf', () => {
  it('is the end of what was measured when the run was cut off', () => {
    expect(endOf(sampleResult({ durationSeconds: null }))).toBe(330);
    expect(endOf(sampleResult({ durationSeconds: null, windows: [] }))).toBe(1);
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
      { name: 'outstanding', counted: false, from: 30, to: 340 },
    ]);
  });
});

describe('stageBands of users', () => {
  it('shows apart what came before all of them ran', () => {
    const [, full] = sampleResult().stages;
    if (!full) throw new Error('the sample has two stages');
    const load = loadSchema.parse({ model: 'users', stages: [{ users: 5, restSeconds: 5, startUpSeconds: 20, seconds: 300 }] });
    const result = sampleResult({
      plan: { ...sampleResult().plan, load },
      durationSeconds: 330,
      stages: [{ ...full, startedAtSecond: 25 }],
    });
    expect(stageBands(result)).toEqual([
      { name: 'start-up', counted: false, from: 0, to: 25 },
      { name: 'full load', counted: true, from: 25, to: 330 },
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
    expect(shadedRanges({ ...result, objectives: [], findings })).toEqual([{ from: 5, to: 9, label: '2', tone: 'breaks', look: 'marked' }]);
    const shown = shadedRanges({ ...result, objectives: [], findings: [...findings, ...findings] }, 1);
    expect(shown.map(({ label, look }) => [label, look])).toEqual([
      ['2', 'shown'],
      ['4', 'marked'],
    ]);
  });

  it('shows from where on the first limit was missed', () => {
    const result = sampleResult();
    const objectives = result.objectives.map((one) => ({ ...one, outcome: 'breaks' as const, fromSecond: 160, stage: 'full load' }));
    expect(shadedRanges({ ...result, findings: [], objectives })).toEqual([
      { from: 160, to: 330, label: 'criterion failed', tone: 'breaks', look: 'shaded' },
    ]);
  });

  it('shades one range at most, and none that covers most of the run', () => {
    const result = sampleResult();
    const [finding] = result.findings;
    if (!finding) throw new Error('the sample has a finding');
    const missedFrom = (fromSecond: number) =>
      result.objectives.map((one) => ({ ...one, outcome: 'breaks' as const, fromSecond, stage: 'full load' }));
    const findings = [finding, finding, finding].map((one) => ({ ...one, range: { fromSecond: 40, toSecond: 330 } }));
    const looks = (fromSecond: number, shown: number | null) =>
      shadedRanges({ ...result, findings, objectives: missedFrom(fromSecond) }, shown).map(({ look }) => look);
    expect(looks(160, null)).toEqual(['shaded', 'marked', 'marked', 'marked']);
    expect(looks(160, 1)).toEqual(['marked', 'marked', 'shown', 'marked']);
    expect(looks(35, null)).toEqual(['marked', 'marked', 'marked', 'marked']);
  });
});
