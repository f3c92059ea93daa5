import { describe, expect, it } from 'vitest';
import { endlessText } from './ab.ts';
import { levelText, percentileText, rangeText, verdictHeadline } from './words.ts';

describe('levelText', () => {
  it.each([
    ['connections', 50, 50, 50, '50 connections'],
    ['connections', 1, 1, 1, '1 connection'],
    ['users', 1_500, 1_500, 1_500, '1,500 users'],
    ['arrivalsPerSecond', 50, 50, 50, '50/s'],
    ['arrivalsPerSecond', 10, 50, 50, '10 → 50/s'],
    ['arrivalsPerSecond', 5, 5, 100, '5 → 100 → 5/s'],
    ['arrivalsPerSecond', 0, 0, 0, '0/s'],
  ] as const)('says %s from %d to %d, at most %d', (unit, from, to, highest, text) => {
    expect(levelText({ unit, from, to, highest })).toBe(text);
  });
});

describe('percentileText', () => {
  it('states how many requests failed instead of an unbounded percentile', () => {
    expect(percentileText('never', 95)).toBe('more than 5 % of requests failed');
    expect(percentileText('never', 99.9)).toBe('more than 0.1 % of requests failed');
    expect(percentileText('never', 50)).toBe('more than 50 % of requests failed');
    expect(percentileText('never', 100)).toBe('at least one request failed');
  });

  it('does not show an unknown value as 0', () => {
    expect(percentileText(null, 95)).toBe('unknown');
    expect(percentileText(0, 95)).toBe('0 ms');
    expect(percentileText(1_500, 95)).toBe('1.5 s');
  });
});

describe('rangeText', () => {
  it('states the first and the last second', () => {
    expect(rangeText({ fromSecond: 10, toSecond: 88 })).toBe('from 0:10 to 1:28');
  });

  it('counts the seconds if there are gaps', () => {
    const spans = [
      { fromSecond: 10, toSecond: 14.4 },
      { fromSecond: 83, toSecond: 88 },
    ];
    expect(rangeText({ fromSecond: 10, toSecond: 88, spans })).toBe('9 s between 0:10 and 1:28');
  });
});

describe('endlessText', () => {
  it('is unbounded if any request never completed', () => {
    expect(endlessText('never')).toBe('some requests failed');
    expect(endlessText(null)).toBe('unknown');
  });
});

describe('verdictHeadline', () => {
  it('keeps the rest of the sentence', () => {
    const parts = (headline: string, rest: string) => verdictHeadline({ headline, sentence: `${headline}${rest}` });
    expect(parts('Inconclusive', ': this computer was overloaded for 4 s, which decides.')).toEqual({
      headline: 'Inconclusive',
      detail: 'This computer was overloaded for 4 s, which decides.',
    });
    expect(parts('Failed for contest no. 3 at 60 connections', ': from 0 s on. It passed at 5.')).toEqual({
      headline: 'Failed for contest no. 3 at 60 connections',
      detail: 'From 0 s on. It passed at 5.',
    });
    expect(parts('Failed', '.').detail).toBe('');
  });
});
