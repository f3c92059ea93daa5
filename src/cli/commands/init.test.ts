import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildPlanJsonSchema } from '#core/plan/jsonSchema.ts';
import { startHarness } from '../testing/harness.ts';

describe('holdfast init', () => {
  it("writes a valid plan from three entered values, and the schema that the plan's first line names", async () => {
    const cli = await startHarness({ lines: ['http://127.0.0.1:9/shop', '', '250'] });
    const { code, out } = await cli.run('init');
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('holdfast run load/plan.yaml') as string });
    const folder = join(cli.directory, 'load');
    const text = readFileSync(join(folder, 'plan.yaml'), 'utf8');
    expect(text.split('\n', 1)[0]).toBe('# yaml-language-server: $schema=./plan.schema.json');
    expect(parse(text)).toMatchObject({
      targets: [{ url: 'http://127.0.0.1:9/shop' }],
      load: { model: 'users', stages: [{ users: 20 }] },
      criteria: [{ kind: 'responseTime', maxMs: 250 }, { kind: 'errors' }],
    });
    expect(JSON.parse(readFileSync(join(folder, 'plan.schema.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(buildPlanJsonSchema())));
    expect((await cli.run('validate', 'load/plan.yaml')).code).toBe(0);
  });

  it('lists every problem of the options and writes nothing', async () => {
    const cli = await startHarness();
    const { code, err } = await cli.run('init', '--target', 'localhost:83011', '--users', 'many', '--within', '-1');
    expect(code).toBe(2);
    expect(err).toContain('targets[0].url');
    expect(err).toContain('load.stages[0].users');
    expect(err).toContain('criteria[0].maxMs');
    expect(() => readFileSync(join(cli.directory, 'load/plan.yaml'))).toThrow('ENOENT');
  });

  it('names the options if there is no terminal on which to ask', async () => {
    const cli = await startHarness();
    const { code, err } = await cli.run('init', '--users', '5');
    expect(code).toBe(1);
    expect(err).toContain('--target');
  });
});

/** Compares the file with the schema. To update the file after a change of the plan: `npx vitest run src/cli/commands/init.test.ts -u`. */
it('docs/plan.schema.json is the JSON Schema of a plan', async () => {
  const file = resolve(import.meta.dirname, '../../../docs/plan.schema.json');
  await expect(`${JSON.stringify(buildPlanJsonSchema(), null, 1)}\n`).toMatchFileSnapshot(file);
});
