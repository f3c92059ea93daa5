import { describe, expect, it } from 'vitest';
import { facts, healthyStep } from '#core/judgement/diagnosis/testing/facts.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import { formatSummary, MAX_SUMMARY_LINES } from './textReport.ts';
import type { Verdict, CriterionResult } from '#core/result/verdict.ts';

const verdict: Verdict = {
  outcome: 'failed',
  headline: 'Failed with 60 connections',
  sentence: 'Failed with 60 connections: more than 5 % of responses took longer than 1 s, at every load that was tried in this run.',
  reasons: [{ code: 'over', text: '480 of 6,000 responses were too slow.' }],
  exercised: [],
  notExercised: [],
  next: [{ kind: 'less', label: 'Try 30 connections', explanation: 'That shows where it fails.', plan: null }],
};

const finding = (number: number, level: Finding['level'] = 'warning'): Finding => ({
  id: `one.${number}`,
  level,
  sentence: `The server did what it should not do, for the ${number}th time in a row.`,
  evidence: ['So it was.'],
  figures: [],
  remedy: 'Let it do what it should. '.repeat(8).trim(),
  confidence: 'likely',
  range: null,
});

const criterion = (number: number, outcome: CriterionResult['outcome']): CriterionResult => ({
  criterion: { kind: 'errors', maxShare: 0.01 },
  text: `step ${number}: at most 1 % of requests fail`,
  reason: 'A long reason.',
  outcome,
  stage: 'load',
  step: null,
  unknownBecause: null,
  limit: 0.01,
  unit: 'share',
  measured: 0.5,
  counted: 100,
  over: 50,
  shareLow: 0.4,
  shareHigh: 0.6,
  fromSecond: 0,
});

function result(changes: Partial<RunResult> = {}): RunResult {
  return { ...facts(healthyStep()), criteria: [], findings: [], verdict, ...changes };
}

describe('the summary of a result', () => {
  it('begins with the verdict and ends with the command that prints all figures', () => {
    const text = formatSummary(result());
    expect(text).toMatch(/^✗ Failed with 60 connections: /);
    expect(text).toContain('\nWhy\n  - 480 of 6,000 responses were too slow.\n');
    expect(text).toContain('\nNext steps\n  - Try 30 connections. That shows where it fails.\n');
    expect(text).toMatch(/\nAll figures: holdfast show \S+ --full\n$/);
  });

  it('lists failed criteria first and counts omitted criteria', () => {
    const criteria = Array.from({ length: 9 }, (_, number) => criterion(number, number === 8 ? 'failed' : 'passed'));
    const text = formatSummary(result({ criteria }));
    expect(text.indexOf('Step 8')).toBeLessThan(text.indexOf('Step 0'));
    expect(text).toMatch(/\n {2}3 more\n/);
  });

  it.each([80, 120])('fits a screen of %d columns with any number of findings', (width) => {
    const criteria = Array.from({ length: 30 }, (_, number) => criterion(number, 'failed'));
    const findings = Array.from({ length: 12 }, (_, number) => finding(number));
    const lines = formatSummary(result({ criteria, findings }), width).split('\n');
    expect(lines.length - 1).toBeLessThanOrEqual(MAX_SUMMARY_LINES);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width);
    expect(lines.at(-2)).toContain('More findings and all figures: holdfast show');
  });

  it('says that a run ended early, and why', () => {
    const { run } = result();
    const text = formatSummary(result({ run: { ...run, endedBecause: { code: 'user', text: 'You stopped it.' } } }));
    expect(text).toContain('\n  It ended early: You stopped it. The result covers the time until then.\n');
  });

  it('leaves out notes', () => {
    expect(formatSummary(result({ findings: [finding(1, 'info')] }))).not.toContain('1th time');
  });
});
