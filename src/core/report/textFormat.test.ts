import { describe, expect, it } from 'vitest';
import { facts, healthyStep } from '../diagnosis/testing/facts.ts';
import type { RunResult, Verdict } from './result.ts';
import { formatText } from './textFormat.ts';

const verdict: Verdict = {
  outcome: 'breaks',
  sentence: 'Breaks with 60 connections: more than 1 in 20 answers took longer than 1 s.',
  reasons: [{ code: 'over', text: '480 of 6,000 answers were too slow.' }],
  exercised: ['the description page'],
  notExercised: ['submitting'],
  next: [{ kind: 'less', label: 'Try 30 connections', explanation: 'That shows where it stops holding.', plan: null }],
};

function result(changes: Partial<RunResult> = {}, step = healthyStep()): RunResult {
  return { ...facts(step), objectives: [], findings: [], verdict, ...changes };
}

describe('formatText', () => {
  it('begins with the answer, its reasons, what was exercised and what to do next', () => {
    expect(formatText(result()).split('\n').slice(0, 5)).toEqual([
      '✗ Breaks with 60 connections: more than 1 in 20 answers took longer than 1 s.',
      '  · 480 of 6,000 answers were too slow.',
      '  Exercised: the description page.',
      '  Not exercised: submitting.',
      '  Next: Try 30 connections. That shows where it stops holding.',
    ]);
  });

  it('lists the outcomes that occurred and no others', () => {
    const requests = { ...healthyStep().requests, ok: 5_990, timeout: 10 };
    const text = formatText(result({}, healthyStep({ requests })));
    expect(text).toMatch(/no answer in time +10\n/);
    expect(text).not.toContain('refused');
  });

  it('calls sent only what was sent', () => {
    const given = result({}, healthyStep({ requests: { ...healthyStep().requests, sent: 20, ok: 10, otherError: 10 } }));
    const stages = given.stages.map((stage) => ({ ...stage, errors: { 'NO_VALUE {{cookie._xsrf}}@build': 10 } }));
    const text = formatText({ ...given, stages });
    expect(text).toMatch(/\n {2}sent +10\n/);
    expect(text).toMatch(/could not be made +10\n/);
  });

  it('shows a ledger that does not balance instead of hiding it', () => {
    expect(formatText(result({ balances: false }))).toContain('do not add up');
    expect(formatText(result())).not.toContain('do not add up');
  });

  it('says which addresses were used, when that is known', () => {
    const { server } = facts(healthyStep());
    const text = formatText(result({ server: { ...server, addresses: { '127.0.0.1': 60, '::1': 1_200 } } }));
    expect(text).toContain('Connections opened to 127.0.0.1 (60), ::1 (1,200).');
    expect(formatText(result())).not.toContain('Connections opened');
  });

  it('writes a percentile without end as never', () => {
    const { latency } = healthyStep();
    const adjusted = { ...latency.errorAdjusted, p99: 'never' as const };
    expect(formatText(result({ latency: { ...latency, errorAdjusted: adjusted } }))).toMatch(/error-adjusted .*never/);
  });
});
