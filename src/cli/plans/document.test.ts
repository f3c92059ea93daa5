import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parsePlan } from '#core/plan/parse.ts';
import { planSchema } from '#core/plan/schema.ts';

const document = await readFile(new URL('../../../docs/plan.md', import.meta.url), 'utf8');

it('docs/plan.md shows a plan without an error', () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(document)?.[1] ?? '';
  const { plan, issues } = parsePlan(example);
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  expect(plan?.journey).toHaveLength(2);
});

it('docs/plan.md names every field that a person writes', () => {
  const fields = Object.keys(planSchema.shape).filter((name) => name !== 'preset');
  for (const field of fields) expect(document, field).toContain(field === 'load' ? 'load.stages' : `\`${field}\``);
});
