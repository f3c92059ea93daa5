import { expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { stageBlocks } from './figures.ts';

it('leaves steps that sent nothing out of a long table of stages', () => {
  const result = sampleResult();
  const [stage] = result.stages;
  const [step] = stage?.steps ?? [];
  if (stage === undefined || step === undefined) throw new Error('the sample has a stage with steps');
  const idle = { ...step, name: 'idle', requests: { ...step.requests, sent: 0 } };
  const journey = [{ ...result.plan.journey[0], name: 'idle' }, ...result.plan.journey];
  const rowsOf = (steps: number): number => {
    const own = [idle, ...Array.from({ length: steps }, () => step)];
    const plan = { ...result.plan, journey: [...journey, ...result.plan.journey] } as typeof result.plan;
    const [table] = stageBlocks({ ...result, plan, stages: [{ ...stage, steps: own }] });
    return table?.kind === 'table' ? table.rows.length : 0;
  };
  expect(rowsOf(5)).toBe(7);
  expect(rowsOf(50)).toBe(51);
});
