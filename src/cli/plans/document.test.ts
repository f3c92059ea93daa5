import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parsePlan } from '#core/review/check.ts';
import { arrivalsStageSchema } from '#core/plan/schema/load.ts';
import { RENAMED_FIELDS } from '#core/plan/schemaIssues.ts';
import { planFields } from '#core/plan/schema/plan.ts';

const document = await readFile(new URL('../../../docs/plan.md', import.meta.url), 'utf8');

it('docs/plan.md shows a valid plan', () => {
  const example = /```yaml\n([\s\S]*?)```/.exec(document)?.[1] ?? '';
  const { plan, issues } = parsePlan(example);
  expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
  expect(plan?.journey).toHaveLength(2);
});

it('docs/plan.md shows valid loads of every model', () => {
  const blocks = [...document.matchAll(/```yaml\n(load:[\s\S]*?)```/g)].map(([, block]) => block ?? '');
  const frame = 'holdfast: 1\nname: x\ntargets: [{ url: "http://127.0.0.1/" }]\njourney: [{ name: a }]\n';
  const plans = blocks.map((block) => parsePlan(frame + block));
  expect(plans.map(({ issues }) => issues)).toEqual(plans.map(() => []));
  expect(new Set(plans.map(({ plan }) => plan?.load.model))).toEqual(new Set(['users', 'arrivals']));
});

it('docs/plan.md names every kind of stage with all of its fields', () => {
  for (const { shape } of arrivalsStageSchema.options) {
    const kind = shape.kind.value;
    const row = document.split('\n').find((line) => line.startsWith(`| \`{kind: ${kind}`)) ?? '';
    const own = Object.keys(shape).filter((name) => !['kind', 'name', 'counted', 'maxInFlight'].includes(name));
    for (const field of own) expect(row, `${kind}.${field}`).toContain(field);
  }
});

it('docs/plan.md names every field of a plan', () => {
  const fields = Object.keys(planFields).filter((name) => name !== 'preset' && name !== 'answers');
  for (const field of fields) expect(document, field).toContain(`\`${field}\``);
});

it('docs/plan.md lists every renamed field with its current name', () => {
  const rows = [...document.matchAll(/^\| `(\w+)` +\| `(\w+)` +\|$/gm)].map(([, old, present]) => [old, present]);
  expect(Object.fromEntries(rows)).toEqual(RENAMED_FIELDS);
});
