import { describe, expect, it } from 'vitest';
import { identifyBaseline, judgeGate, isWorse, judgeStanding } from './baseline.ts';
import { WHOLE_RUN } from './comparedRun.ts';
import type { FigureDifference, Pair } from './schema.ts';

function difference(changes: Partial<FigureDifference> = {}): FigureDifference {
  return {
    scope: WHOLE_RUN,
    measure: 'p95',
    from: { median: 100, least: 100, most: 100 },
    to: { median: 120, least: 120, most: 120 },
    scale: 'ratio',
    change: 0.2,
    interval: { from: 0.18, to: 0.22 },
    judgement: 'differs',
    direction: 'worse',
    ...changes,
  };
}
const faster = difference({ measure: 'p50', change: -0.2, direction: 'better' });

function pair(conclusion: Pair['conclusion'], ...differences: FigureDifference[]): Pair {
  return { reference: 0, side: 1, conclusion, sentence: '', reasons: [], isInterleaved: null, differences };
}

it('identifyBaseline: identifies a preset, or a plan by its name', () => {
  const asked = { planName: () => 'my plan', target: 'http://a/' };
  expect(identifyBaseline({ ...asked, preset: 'survey' })).toEqual({ question: 'survey', isPreset: true, target: 'http://a/' });
  expect(identifyBaseline({ ...asked, preset: null })).toEqual({ question: 'my plan', isPreset: false, target: 'http://a/' });
});

describe('standing of a run against its baseline', () => {
  it.each<readonly [string, Pair]>([
    ['worse', pair('differs', difference(), difference({ measure: 'p99' }))],
    ['better', pair('differs', faster)],
    ['different', pair('differs', difference(), faster)],
    ['worse', pair('differs', difference(), { ...faster, judgement: 'withinNoise' })],
    ['worse', pair('differs', difference(), difference({ measure: 'memory', direction: null }))],
    ['different', pair('differs', difference({ measure: 'memory', direction: null }))],
    ['withinNoise', pair('withinNoise', difference())],
    ['tooFew', pair('tooFew')],
    ['refused', pair('refused', difference())],
  ])('is “%s”', (standing, of) => expect(judgeStanding(of)).toBe(standing));
});

describe('isWorse and judgeGate', () => {
  it('accept a certain regression only up to the tolerance', () => {
    expect(isWorse(difference(), 0.19)).toBe(true);
    expect(isWorse(difference(), 0.2)).toBe(false);
    expect(isWorse(difference({ measure: 'goodPerSecond', change: -0.2 }), 0.19)).toBe(true);
    expect(isWorse(difference({ judgement: 'withinNoise' }), 0)).toBe(false);
    expect(isWorse(difference({ change: null }), 0)).toBe(false);
    expect(isWorse(faster, 0)).toBe(false);
  });

  it('have no tolerance for failures', () => {
    expect(isWorse(difference({ measure: 'failedShare', scale: 'difference', change: 0.002 }), 0.5)).toBe(true);
  });

  it('return `worse` if one pair is worse, and `notKnown` if a pair is inconclusive', () => {
    const fine = pair('differs', faster);
    expect(judgeGate({ pairs: [fine, pair('differs', difference())] }, 0.05)).toBe('worse');
    expect(judgeGate({ pairs: [fine, pair('withinNoise')] }, 0.05)).toBe('notWorse');
    expect(judgeGate({ pairs: [fine, pair('tooFew')] }, 0.05)).toBe('notKnown');
    expect(judgeGate({ pairs: [fine, pair('refused')] }, 0.05)).toBe('notKnown');
  });

  it('return `notKnown` if no difference was found but a change by more than 25 % is possible', () => {
    const noise = (from: number, to: number) => pair('withinNoise', difference({ judgement: 'withinNoise', interval: { from, to } }));
    expect(judgeGate({ pairs: [noise(-0.25, 0.25)] }, 0)).toBe('notWorse');
    expect(judgeGate({ pairs: [noise(-0.26, 0.1)] }, 0)).toBe('notKnown');
    expect(judgeGate({ pairs: [noise(-0.1, 0.26)] }, 0)).toBe('notKnown');
  });
});
