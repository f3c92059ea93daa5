import { describe, expect, it } from 'vitest';
import { generatorSchema } from '#core/result/schema.ts';
import { selfTestReportWith } from '#core/testing/selfTests.ts';
import { generatorWith } from '#core/judgement/verdict/testing/judged.ts';
import { outcomeOfChecks, summaryOfSelfTest, type SelfTestCheck, type SelfTestFact } from './report.ts';

function readCheck(title: string, fact: Partial<SelfTestFact>, problem: string | null = null): SelfTestCheck {
  const facts = [{ name: 'f', kind: 'count' as const, unit: '' as const, measured: 1, known: 1, tolerance: 0, passed: true, ...fact }];
  const passed = problem === null && facts.every((one) => one.passed);
  const rest = { id: 'x', story: '', engine: 'native', engineVersion: '1', repeats: 0, steal: null, processorUse: null, overloadedBy: [] };
  return { ...rest, title, facts, passed, problem };
}

describe('self-test report', () => {
  it('is summarized for later runs', () => {
    const report = selfTestReportWith({ checks: [readCheck('0 ms', {}), readCheck('HTTP/1.0', { passed: false })], passed: false });
    expect(summaryOfSelfTest(report)).toEqual({
      at: report.at,
      quick: true,
      passed: 1,
      failed: ['HTTP/1.0 (native)'],
      maxRequestsPerSecond: 74_800,
      maxArrivalsPerSecond: null,
    });
  });

  it('attributes wrong counts and missing checks to Holdfast, and wrong times to this machine or its host', () => {
    const late = { ...readCheck('a', { kind: 'time', passed: false }), steal: 0 };
    const stolen = { ...late, steal: 0.03 };
    expect(outcomeOfChecks([readCheck('a', {})])).toBe('passed');
    expect(outcomeOfChecks([stolen, readCheck('a', { passed: false })])).toBe('wrong');
    const both = readCheck('a', { passed: false });
    expect(outcomeOfChecks([{ ...both, facts: [...late.facts, ...both.facts], steal: 0.03 }])).toBe('wrong');
    expect(outcomeOfChecks([readCheck('a', {}, 'It does not answer.')])).toBe('wrong');
    expect(outcomeOfChecks([late, stolen, readCheck('a', {})])).toBe('busy');
    expect(outcomeOfChecks([readCheck('a', { kind: 'time', passed: false })]), 'nobody knows').toBe('busy');
    expect(outcomeOfChecks([stolen, readCheck('a', {})])).toBe('stolen');
    expect(outcomeOfChecks([{ ...stolen, steal: 0.01 }])).toBe('busy');
  });

  it('is absent from old runs, which remain readable', () => {
    const { selfTest: _, ...earlier } = generatorWith();
    expect(generatorSchema.parse(earlier).selfTest).toBeNull();
  });
});
