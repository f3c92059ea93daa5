import { describe, expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { endOf, listShadedRanges, stageBands } from './chartFrame.ts';
import type { RunResult } from '#core/result/schema.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';

describe('endOf', () => {
  it('returns the end of the measurements of an interrupted run', () => {
    expect(endOf(sampleResult({ durationSeconds: null }))).toBe(330);
    expect(endOf(sampleResult({ durationSeconds: null, windows: [] }))).toBe(1);
  });
});

describe('stageBands', () => {
  it('leaves out stages that never started, and names the drain if it took time', () => {
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
  it('separates the time before all users ran', () => {
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

describe('listShadedRanges', () => {
  it('labels ranges with the numbers of their findings', () => {
    const result = sampleResult();
    const [finding] = result.findings;
    if (!finding) throw new Error('the sample has a finding');
    const findings = [
      { ...finding, range: null },
      { ...finding, level: 'problem' as const, range: { fromSecond: 5, toSecond: 9 } },
    ];
    expect(listShadedRanges({ ...result, criteria: [], findings })).toEqual([
      {
        from: 5,
        to: 9,
        spans: [{ second: 5, width: 4 }],
        label: '2',
        sentence: finding.sentence,
        tone: 'failed',
        look: 'marked',
      },
    ]);
    const shown = listShadedRanges({ ...result, criteria: [], findings: [...findings, ...findings] }, 1);
    expect(shown.map(({ label, look }) => [label, look])).toEqual([
      ['2', 'shown'],
      ['4', 'marked'],
    ]);
  });

  it('contains only the seconds of a finding, not those between them', () => {
    const result = sampleResult();
    const spans = [
      { fromSecond: 3, toSecond: 5 },
      { fromSecond: 74, toSecond: 81 },
    ];
    const findings = result.findings.map((one) => ({ ...one, range: { fromSecond: 3, toSecond: 81, spans } }));
    expect(listShadedRanges({ ...result, criteria: [], findings })[0]?.spans).toEqual([
      { second: 3, width: 2 },
      { second: 74, width: 7 },
    ]);
  });

  it('marks the start of the first failed criterion', () => {
    const result = sampleResult();
    const criteria = [200, 160].map((fromSecond) => ({ ...failed(result, fromSecond), reason: `failed from ${fromSecond}` }));
    expect(listShadedRanges({ ...result, findings: [], criteria })).toEqual([
      {
        from: 160,
        to: 330,
        spans: [{ second: 160, width: 170 }],
        label: 'criterion failed',
        sentence: 'failed from 160',
        tone: 'failed',
        look: 'marked',
      },
    ]);
  });
});

function failed({ criteria: [first] }: RunResult, fromSecond: number): RunResult['criteria'][number] {
  if (first === undefined) throw new Error('the sample has a criterion');
  return { ...first, outcome: 'failed', fromSecond, stage: 'full load' };
}
