import { describe, expect, it } from 'vitest';
import type { Finding, RunResult } from '#core/result/schema.ts';
import { decideOutcome } from '../figures/requirement.ts';
import { CAUSE_KINDS, HEALTHY_KINDS } from './causeKinds.ts';
import { causeRequirements, causeSections, describeCauseRun, judgeCause } from './causesJudge.ts';

const finding = (id: string, changes: Partial<Finding> = {}): Finding => ({
  id,
  level: 'warning',
  sentence: `A sentence about ${id}.`,
  evidence: [],
  remedy: '',
  confidence: 'likely',
  range: null,
  ...changes,
});
const judgeFindings = (causes: readonly string[], ...findings: readonly Finding[]) => {
  const generators: RunResult['generators'] = [];
  return judgeCause({ id: 'limit', named: causes, alsoTrue: ['wrongContent'] }, { findings: [...findings], generators });
};

describe('a run with a known cause', () => {
  it('is right if the cause is the first warning about the server', () => {
    const own = finding('generatorLimited');
    const remark = finding('groups.a.b', { level: 'info' });
    expect(judgeFindings(['clientLimit'], own, remark, finding('clientLimit'), finding('slowTail')).isNamedFirst).toBe(true);
    expect(judgeFindings(['clientLimit'], finding('slowTail'), finding('clientLimit')).isNamedFirst).toBe(false);
    expect(judgeFindings(['clientLimit']).isNamedFirst).toBe(false);
  });

  it('lists wrong statements that the app made with certainty', () => {
    const certain = { confidence: 'certain' } as const;
    const run = judgeFindings(
      ['clientLimit'],
      finding('clientLimit', certain),
      finding('wrongContent', certain),
      finding('serverDown.a', certain),
    );
    expect(run.wrong).toEqual(['serverDown.a: A sentence about serverDown.a.']);
    expect(describeCauseRun(run)).toContain('CERTAIN AND WRONG');
  });

  it('meets the requirements if nine of ten causes are named, no healthy server has a warning, and no certain statement is wrong', () => {
    const right = judgeFindings(['clientLimit'], finding('clientLimit'));
    const outcomes = (...runs: readonly ReturnType<typeof judgeFindings>[]) => causeRequirements(runs).map(decideOutcome);
    expect(outcomes(...Array<typeof right>(9).fill(right), judgeFindings(['clientLimit']), judgeFindings([]))).toEqual([
      'met',
      'met',
      'met',
    ]);
    expect(outcomes(right, judgeFindings(['clientLimit']), judgeFindings([], finding('slowTail', { confidence: 'certain' })))).toEqual([
      'missed',
      'missed',
      'missed',
    ]);
  });

  it('has a table row for each server', () => {
    const [section] = causeSections([judgeFindings(['clientLimit'], finding('clientLimit'))], [...CAUSE_KINDS, ...HEALTHY_KINDS]);
    expect(section?.rows).toHaveLength(CAUSE_KINDS.length + HEALTHY_KINDS.length);
    expect(section?.rows[0]?.slice(1, 4)).toEqual(['1', '1', 'clientLimit (likely)']);
  });
});
