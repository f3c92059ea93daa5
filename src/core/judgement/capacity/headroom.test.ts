import { formatVerdict } from '../verdict/labels.ts';
import { describe, expect, it } from 'vitest';
import { facts, healthyStep } from '../diagnosis/testing/facts.ts';
import type { MeasuredRun } from '../diagnosis/rule.ts';
import { findHeadroomFindings, findHeadroom, addHeadroom } from './capacity.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

const demand = { requestsPerSecond: 200 };

function stages(...rates: number[]): MeasuredRun {
  const given = facts(healthyStep());
  const [stage] = given.stages;
  if (stage === undefined) throw new Error('no stage');
  return {
    ...given,
    plan: { ...given.plan, demand },
    stages: rates.map((rate, index) => ({
      ...stage,
      name: `${index + 1}`,
      rates: { ...stage.rates, startedPerSecond: rate, completedPerSecond: rate },
    })),
  };
}

function hasFailed(stage: string, kind: 'responseTime' | 'throughput' = 'responseTime'): CriterionResult {
  const criterion = kind === 'throughput' ? { kind, minPerSecond: 200 } : ({ kind, percentile: 95, maxMs: 1_000 } as const);
  return {
    criterion,
    text: '',
    stage,
    step: null,
    outcome: 'failed',
    reason: '',
    unknownBecause: null,
    measured: null,
    limit: 0,
    unit: 'ms',
    counted: null,
    over: null,
    shareLow: null,
    shareHigh: null,
    fromSecond: null,
  };
}

describe('headroom', () => {
  it('is the measured rate / the expected rate: 980/s for 200/s is 4.9 times', () => {
    expect(findHeadroom(stages(980), [])).toMatchObject({ perSecond: 980, factor: 4.9, failedAt: null });
    expect(findHeadroomFindings(stages(980), [])[0]?.sentence).toContain('at least 4.9 times');
  });

  it('is computed from the best stage before the first failed one', () => {
    const room = findHeadroom(stages(200, 600, 900), [hasFailed('3')]);
    expect(room).toMatchObject({ stage: '2', factor: 3, failedAt: '3' });
    expect(findHeadroomFindings(stages(200, 600, 900), [hasFailed('3')])[0]).toMatchObject({ level: 'info', confidence: 'certain' });
  });

  it('does not blame a stage for a rate that the load did not offer', () => {
    expect(findHeadroom(stages(150), [hasFailed('1', 'throughput')])).toMatchObject({ factor: 0.75 });
    expect(findHeadroomFindings(stages(150), [])[0]).toMatchObject({ level: 'warning' });
  });

  it('is omitted for an overloaded generator if it is too small, but not if it suffices', () => {
    const overloaded = (given: MeasuredRun): MeasuredRun => ({
      ...given,
      windows: given.windows.map((one) => ({ ...one, overloadedBy: ['threadWait'] })),
    });
    expect(findHeadroomFindings(overloaded(stages(150)), [])).toEqual([]);
    expect(findHeadroomFindings(overloaded(stages(980)), [])).toHaveLength(1);
  });

  it('is given in people if the plan states their number', () => {
    const given = stages(980);
    const plan = { ...given.plan, demand: { ...demand, people: { count: 750, name: 'participants' } } };
    const [finding] = findHeadroomFindings({ ...given, plan }, []);
    expect(finding?.sentence).toBe(
      'It sustained 980/s, at least 4.9 times the expected 200/s of 750 participants: enough for 3,675 participants.',
    );
    const few = stages(150);
    expect(findHeadroomFindings({ ...few, plan: { ...few.plan, demand: plan.demand } }, [])[0]?.sentence).toContain(
      'enough for 562 participants only',
    );
  });

  it('is null if every stage failed, or without a demand', () => {
    expect(findHeadroom(stages(200), [hasFailed('1')])).toBeNull();
    expect(findHeadroom(facts(), [])).toBeNull();
  });

  describe('in the headline', () => {
    const people = { count: 750, name: 'participants' };
    const pickHeadline = (rates: number[], missed: CriterionResult[] = [], claim = '750 participants', outcome = 'passed' as const) => {
      const given = stages(...rates);
      const run = { ...given, plan: { ...given.plan, claim, demand: { ...demand, people } }, criteria: missed, findings: [] };
      const parts = { load: '', cause: 'fast.', more: '' };
      const verdict = { outcome, ...formatVerdict(outcome, parts), reasons: [], exercised: [], notExercised: [], next: [] };
      return addHeadroom(verdict, run);
    };

    it('is stated as “about N” people if a higher load failed, otherwise as “at least N”', () => {
      expect(pickHeadline([1_142, 1_300], [hasFailed('2')])).toMatchObject({
        headline: 'Passed; capacity about 4,200',
        sentence: 'Passed; capacity about 4,200: fast.',
      });
      expect(pickHeadline([1_142]).headline).toBe('Passed; capacity at least 4,200');
      expect(pickHeadline([1_142], [], 'the contest').headline).toBe('Passed; capacity at least 4,200 participants');
    });

    it('is omitted without people, if it does not exceed their number, and for other outcomes', () => {
      expect(pickHeadline([1_142], [], '').headline).toBe('Passed');
      expect(pickHeadline([201]).headline).toBe('Passed');
      expect(addHeadroom({ ...pickHeadline([201]), outcome: 'failed' }, { ...stages(1_142), criteria: [], findings: [] }).headline).toBe(
        'Passed',
      );
    });
  });
});
