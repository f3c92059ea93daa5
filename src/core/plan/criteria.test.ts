import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { criteriaByStage } from './criteria.ts';

describe('criteriaByStage', () => {
  it('groups criteria by stage and step, each once, with those of the whole test separate', () => {
    const plan = planWith({
      journey: [{ name: 'login', budgetMs: 300 }, { name: 'page' }],
      criteria: [
        { kind: 'responseTime', step: 'login', stage: 'arrival', percentile: 95, maxMs: 2_000 },
        { kind: 'errors', step: 'login', stage: 'arrival', maxShare: 0.02 },
        { kind: 'errors', stage: 'arrival', maxShare: 0.01 },
        { kind: 'responseTime', step: 'page', stage: 'rush', percentile: 95, maxMs: 1_000 },
      ],
    });
    expect(criteriaByStage(plan)).toEqual([
      {
        stage: 'arrival',
        steps: [
          { step: 'login', criteria: ['95 % of responses within 2 s', 'at most 2 % of requests failing'] },
          { step: null, criteria: ['at most 1 % of requests failing'] },
        ],
      },
      { stage: 'rush', steps: [{ step: 'page', criteria: ['95 % of responses within 1 s'] }] },
      { stage: null, steps: [{ step: 'login', criteria: ['95 % of responses within 300 ms'] }] },
    ]);
  });
});
