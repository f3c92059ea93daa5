import { describe, expect, it } from 'vitest';
import type { SelfTestCheck, SelfTestFact } from '#core/measurement/selfTest/report.ts';
import { knownText, selectFacts, valueText } from './SelfTestChecks.tsx';

const count = (name: string, isPassed = true): SelfTestFact => ({
  name,
  kind: 'count',
  unit: '',
  measured: 600,
  known: 600,
  tolerance: 0,
  passed: isPassed,
});
const time = (name: string, isPassed = true): SelfTestFact => ({
  name,
  kind: 'time',
  unit: 'ms',
  measured: 50.02,
  known: 49.5,
  tolerance: 1,
  passed: isPassed,
});
const check = (facts: SelfTestFact[]): SelfTestCheck => ({
  id: 'fixedDelay',
  title: 'Fixed 50 ms',
  story: '',
  engine: 'native',
  engineVersion: '1',
  facts,
  passed: facts.every(({ passed }) => passed),
  repeats: 0,
  steal: null,
  processorUse: null,
  overloadedBy: [],
  problem: null,
});
const namesShown = (facts: SelfTestFact[]): string[] => selectFacts(check(facts)).map(({ name }) => name);

describe('the figures of a check', () => {
  it('are the first count and the first time if all figures are correct', () => {
    expect(namesShown([count('sent'), count('answered'), time('p50'), time('p90')])).toEqual(['sent', 'p50']);
  });

  it('are all wrong figures if there are any', () => {
    expect(namesShown([count('sent'), count('answered', false), time('p50'), time('p90', false)])).toEqual(['answered', 'p90']);
  });

  it('include unit and tolerance', () => {
    expect(knownText(time('p50'))).toBe('49.5 ms ± 1 ms');
    expect(knownText(count('sent'))).toBe('600');
    expect(valueText(4_000_123, { unit: 'bytes' })).toBe('4,000,123 B');
    expect(valueText(null, { unit: 'ms' })).toBe('none');
  });
});
