import { describe, expect, it } from 'vitest';
import { loadSchema } from '../plan/loadSchema.ts';
import { endOf, shadedRanges, stageBands } from './chartFrame.ts';
import { sampleResult } from '../report/testing/sampleResult.ts';

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
      { name: 'last answers', counted: false, from: 30, to: 340 },
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
    expect(shadedRanges({ ...result, objectives: [], findings })).toEqual([{ from: 5, to: 9, label: '2', tone: 'breaks' }]);
    const shown = shadedRanges({ ...result, objectives: [], findings: [...findings, ...findings] }, 1);
    expect(shown.map(({ label, isShown }) => [label, isShown === true])).toEqual([
      ['2', true],
      ['4', false],
    ]);
  });

  it('shows from where on the first limit was missed', () => {
    const result = sampleResult();
    const objectives = result.objectives.map((one) => ({ ...one, outcome: 'breaks' as const, fromSecond: 160, stage: 'full load' }));
    expect(shadedRanges({ ...result, findings: [], objectives })).toEqual([{ from: 160, to: 330, label: 'limit missed', tone: 'breaks' }]);
  });
});
