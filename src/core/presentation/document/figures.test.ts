import { expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { stepSchema } from '#core/plan/schema/step.ts';
import { stageBlocks } from './figures.ts';
import type { TableBlock } from './model.ts';

it('stageBlocks omits steps without requests from a long table', () => {
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

it('stageBlocks shows steps in a separate table if several stages would repeat many steps', () => {
  const result = sampleResult();
  const [stage] = result.stages;
  const [step] = stage?.steps ?? [];
  if (stage === undefined || step === undefined) throw new Error('the sample has a stage with steps');
  const took = (name: string, p95: number, failed = 0) => ({
    ...step,
    name,
    requests: { ...emptyRequestOutcomes(), sent: 10, ok: 10 - failed, timeout: failed },
    latency: { ...step.latency, response: { ...step.latency.response, p95 } },
  });
  const listTables = (pages: number, stages: number): TableBlock[] => {
    const names = Array.from({ length: pages }, (_, page) => `page ${page}`);
    const journey = names.map((name) => stepSchema.parse({ name, resources: { kinds: ['css', 'image'] } }));
    const steps = [
      ...names.map((name) => took(name, 10)),
      ...names.flatMap((name, page) => [took(`${name} › style sheets`, 100 + page), took(`${name} › images`, 1, page === 1 ? 3 : 0)]),
    ];
    const own = Array.from({ length: stages }, (_, index) => ({
      ...stage,
      name: `stage ${index}`,
      counted: true,
      level: { ...stage.level, highest: index },
      steps: steps.map((one) => took(one.name, index)),
    }));
    return stageBlocks({ ...result, plan: { ...result.plan, journey }, steps, stages: own }).filter((block) => block.kind === 'table');
  };
  expect(listTables(5, 2).map(({ title, rows }) => `${title}: ${rows.length}`)[0]).toBe('Stages and steps: 32');
  const [stages, ofSteps] = listTables(18, 5);
  expect([stages?.title, stages?.rows.length, ofSteps?.title, ofSteps?.rows.length]).toEqual(['Stages', 5, 'Steps over all stages', 28]);
  const names = ofSteps?.rows.map(([name]) => name) ?? [];
  expect(names.slice(18)).toEqual(['page 1 › images', ...[9, 10, 11, 12, 13, 14, 15, 16, 17].map((page) => `page ${page} › style sheets`)]);
  expect(ofSteps?.columns.at(-1)?.name).toBe('p95 in “stage 4”');
  expect(ofSteps?.rows[0]?.at(-1)).toBe('4 ms');
  expect(ofSteps?.note).toMatch(
    /^Of redirects and linked files, those that failed and the slowest are shown. 26 more are in the result as JSON. /,
  );
});
