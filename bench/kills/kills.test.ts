import { describe, expect, it } from 'vitest';
import { readOptions } from '../running/readOptions.ts';
import { isRecovered, makeMarkdown, OPTIONS, type TrialReport } from './kills.ts';

describe('the kills campaign', () => {
  it('reports every kill that Holdfast did not survive', () => {
    const good: TrialReport = { place: 'a', where: 'x', trial: 1, lostSeconds: 0.5, outOfBalance: 0, leftOver: 0, problems: [] };
    const bad: TrialReport = { ...good, trial: 2, lostSeconds: 3, leftOver: 1, problems: ['still there: node'] };
    const text = makeMarkdown({ startedAt: '2026-01-01', seed: 7, struck: [good, bad], missing: [{ place: 'b', why: 'No sshd.' }] });
    expect(text).toContain('1 of 2 recovered. Seed 7.');
    expect(text).toContain('| a | x | 2 | 1 | 3.0 | 0 | 1 |');
    expect(text).toContain('Trial 2, a, x: still there: node');
    expect(text).toContain('Not tried: b. No sshd.');
    expect([good, bad].map(isRecovered)).toEqual([true, false]);
  });

  it('reports every invalid option at once', () => {
    expect(readOptions('kills', OPTIONS, ['--count', '5', '--only', 'clock'])).toMatchObject({ count: 5, only: ['clock'], seed: null });
    expect(() => readOptions('kills', OPTIONS, ['--count', '0', '--only', 'c'])).toThrow(/--count 0[^]*--only c/);
  });
});
