import { describe, expect, it } from 'vitest';
import { WHOLE_RUN } from './comparedRun.ts';
import { type FigureDifference, MEASURES } from './schema.ts';
import {
  changeWords,
  comparisonTitle,
  formatFigure,
  formatInterval,
  formatJudgement,
  formatScope,
  sideLetter,
  sideNames,
  spreadWords,
} from './figureTexts.ts';

describe('formatted figure', () => {
  it('has the unit of its measure', () => {
    expect(MEASURES.map((measure) => `${measure} ${formatFigure(0.02, measure)}`)).toEqual([
      'goodPerSecond 0.02/s',
      'p50 0.02 ms',
      'p95 0.02 ms',
      'p99 0.02 ms',
      'failedShare 2 %',
      'cpuMsPerResponse 0.02 ms',
      'cpuUsed 0.02',
      'memory 0.02 B',
      'largestPaint 0.02 ms',
    ]);
  });

  it('has the median, and the extremes if runs differ', () => {
    const one: FigureDifference = {
      scope: WHOLE_RUN,
      measure: 'p95',
      from: { median: 40, least: 40, most: 40 },
      to: { median: 50, least: 45, most: 90 },
      scale: 'ratio',
      change: 0.25,
      interval: null,
      judgement: 'tooFew',
      direction: 'worse',
    };
    expect([spreadWords(one, 'from'), spreadWords(one, 'to')]).toEqual(['40 ms', '50 ms (45 ms to 90 ms)']);
    expect(spreadWords({ ...one, to: null }, 'to')).toBe('–');
  });

  it('names a run, a step, a stage or a machine', () => {
    const words = (['run', 'step', 'stage', 'watched'] as const).map((kind) => formatScope({ kind, name: 'web1' }));
    expect(words).toEqual(['the whole run', '“web1”', 'stage “web1”', 'web1']);
  });
});

describe('formatted change', () => {
  const ratio = (change: number): string => changeWords(change, { scale: 'ratio', measure: 'p95' });

  it('is a signed percentage for a ratio, and a multiple from ten times on', () => {
    expect([0.12, -0.5, 0, 9.994, 9.995].map(ratio)).toEqual(['+12 %', '−50 %', '±0 %', '+1,000 %', '× 11']);
  });

  it('has the unit of the figure for a difference, and percentage points for shares', () => {
    expect(changeWords(0.02, { scale: 'difference', measure: 'failedShare' })).toBe('+2 points');
    expect(changeWords(-3, { scale: 'difference', measure: 'goodPerSecond' })).toBe('−3/s');
  });

  it('has its interval, if there is one', () => {
    const of = { scale: 'ratio', measure: 'p95' } as const;
    expect(formatInterval({ ...of, interval: { from: -0.08, to: 0.13 } })).toBe('−8 % to +13 %');
    expect(formatInterval({ ...of, interval: null })).toBeNull();
  });

  it('has a direction only if it is significant', () => {
    expect(formatJudgement({ judgement: 'differs', direction: 'worse' })).toBe('worse');
    expect(formatJudgement({ judgement: 'differs', direction: null })).toBe('differs');
    expect(formatJudgement({ judgement: 'withinNoise', direction: 'worse' })).toBe('smaller than noise');
  });
});

describe('names of the sides', () => {
  const run = (name: string) => ({ name });

  it('are the given names, or else the common name of their runs, or else their numbers', () => {
    expect(sideNames([{ name: 'before', runs: [run('a')] }, { runs: [run('a'), run('a')] }, { runs: [run('a'), run('b')] }])).toEqual([
      'before',
      'a',
      '2 runs',
    ]);
    expect(sideNames([{ runs: [] }])).toEqual(['0 runs']);
  });

  it('get letters only if two names are equal', () => {
    expect(sideNames([{ name: 'x', runs: [] }, { runs: [run('page')] }, { runs: [run('page')] }])).toEqual(['x', 'B: page', 'C: page']);
    expect([0, 1, 25].map(sideLetter)).toEqual(['A', 'B', 'Z']);
  });

  it('have the number of runs in the title', () => {
    const of = (name: string, count: number) => ({
      name,
      runs: Array.from({ length: count }, () => ({
        id: 'r',
        name: 'page',
        startedAt: '2026-03-12T10:00:00.000Z',
        note: '',
        outcome: 'measured' as const,
        leftOut: null,
        overloadedSeconds: 0,
      })),
    });
    expect(comparisonTitle({ sides: [of('before', 1), of('after', 5)] })).toBe('“before” (1 run) against “after” (5 runs)');
  });
});
