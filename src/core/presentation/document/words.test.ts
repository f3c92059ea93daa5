import { describe, expect, it } from 'vitest';
import { formatAfterHeadline, formatAfterOutcome, formatVerdict } from '#core/judgement/verdict/labels.ts';
import type { VerdictParts } from '#core/result/verdict.ts';
import { endlessText } from './ab.ts';
import { levelText, percentileText, rangeText, makeVerdictBlock } from './words.ts';

describe('levelText', () => {
  it.each([
    ['connections', 50, 50, 50, '50 connections'],
    ['connections', 1, 1, 1, '1 connection'],
    ['users', 1_500, 1_500, 1_500, '1,500 users'],
    ['arrivalsPerSecond', 50, 50, 50, '50/s'],
    ['arrivalsPerSecond', 10, 50, 50, '10 → 50/s'],
    ['arrivalsPerSecond', 5, 5, 100, '5 → 100 → 5/s'],
    ['arrivalsPerSecond', 0, 0, 0, '0/s'],
  ] as const)('formats %s from %d to %d, at most %d', (unit, from, to, highest, text) => {
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
  it('says that some requests failed if any request never completed', () => {
    expect(endlessText('never')).toBe('some requests failed');
    expect(endlessText(null)).toBe('unknown');
  });
});

describe('makeVerdictBlock', () => {
  const ofParts = (outcome: 'failed' | 'inconclusive', parts: VerdictParts) =>
    makeVerdictBlock({ outcome, ...formatVerdict(outcome, parts) });

  it('keeps the outcome, the headline and the rest of the sentence apart', () => {
    const open = ofParts('inconclusive', { load: '', cause: 'this computer was overloaded for 4 s, which decides.', more: '' });
    expect(open.title).toBe('Inconclusive');
    expect(formatAfterOutcome(open)).toBe(': this computer was overloaded for 4 s, which decides.');
    expect(formatAfterHeadline(open)).toBe('this computer was overloaded for 4 s, which decides.');
    const failed = ofParts('failed', { load: ' for contest no. 3 at 60 connections', cause: 'from 0 s on.', more: 'It passed at 5.' });
    expect(failed).toMatchObject({ title: 'Failed', load: ' for contest no. 3 at 60 connections' });
    expect(formatAfterOutcome(failed)).toBe(' for contest no. 3 at 60 connections: from 0 s on. It passed at 5.');
    expect(formatAfterHeadline(failed)).toBe('from 0 s on. It passed at 5.');
    expect(formatAfterHeadline(ofParts('failed', { load: '', cause: '', more: '' }))).toBe('');
  });

  it('shows the sentence of an older result, which has no parts', () => {
    const block = makeVerdictBlock({ outcome: 'failed', sentence: 'Failed at 60 connections: too slow.' });
    expect(`${block.title}${formatAfterOutcome(block)}`).toBe('Failed at 60 connections: too slow.');
    expect(formatAfterHeadline(block)).toBe('');
  });
});
