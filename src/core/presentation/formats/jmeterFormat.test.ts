import { describe, expect, it } from 'vitest';
import { facts, healthyStep } from '#core/judgement/diagnosis/testing/facts.ts';
import { formatJmeter } from './otherTools.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { Verdict } from '#core/result/verdict.ts';

const verdict: Verdict = { outcome: 'measured', headline: '', sentence: '', reasons: [], exercised: [], notExercised: [], next: [] };

function result(stages: readonly Partial<RunResult['stages'][number]>[], step = healthyStep()): RunResult {
  const base = facts(step);
  const [stage] = base.stages;
  if (!stage) throw new Error('no stage');
  return { ...base, stages: stages.map((changes) => ({ ...stage, ...changes })), criteria: [], findings: [], verdict };
}

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => /^(Label|description|TOTAL|list)\b/.test(line))
    .map((line) => line.split(/ {2,}/));

describe('the table in the columns of JMeter', () => {
  it('prints a line for each step and a total', () => {
    const list = healthyStep({ name: 'list', rates: { ...healthyStep().rates, completedPerSecond: 0.5 } });
    expect(rowsOf(formatJmeter(result([{ steps: [healthyStep(), list] }])))).toEqual([
      ['Label', '# Samples', 'Average', 'Median', '90% Line', 'Min', 'Max', 'Error %', 'Throughput'],
      ['description', '6000', '20', '20', '23', '15', '40', '0.00%', '100.0/sec'],
      ['list', '6000', '20', '20', '23', '15', '40', '0.00%', '30.0/min'],
      ['TOTAL', '6000', '20', '20', '23', '15', '40', '0.00%', '100.0/sec'],
    ]);
  });

  it('counts wrong bodies, bad statuses and missing responses as errors, and states which times are missing', () => {
    const requests = { ...healthyStep().requests, ok: 5_100, wrongBody: 500, httpError: 300, timeout: 60, inFlight: 40 };
    const step = healthyStep({ requests });
    const service = { ...step.latency.service, count: 5_900 };
    const text = formatJmeter(result([{ requests, latency: { ...step.latency, service }, steps: [step] }], step));
    expect(rowsOf(text).at(-1)?.[7]).toBe('15.00%');
    expect(text).toContain('100 samples got no complete response');
  });

  it('prints a table per counted stage and no others', () => {
    const text = formatJmeter(result([{ name: 'warm-up', counted: false }, { name: '50 threads' }, { name: '100 threads' }]));
    expect(text.match(/^Stage: .*$/gm)).toEqual(['Stage: 50 threads', 'Stage: 100 threads']);
    expect(formatJmeter(result([{ counted: false }]))).toContain('No stage was counted.');
  });

  it('reports unknown values', () => {
    const { latency } = healthyStep();
    const nothing = { ...latency.service, count: 0, min: null, mean: null, p50: null, p90: null, max: null };
    const requests = { ...healthyStep().requests, sent: 0, ok: 0 };
    const rates = { startedPerSecond: null, completedPerSecond: null, bytesPerSecond: null };
    const text = formatJmeter(result([{ requests, rates, latency: { ...latency, service: nothing }, steps: [] }]));
    expect(rowsOf(text).at(-1)).toEqual(['TOTAL', '0', ...Array.from({ length: 7 }, () => 'unknown')]);
  });
});
