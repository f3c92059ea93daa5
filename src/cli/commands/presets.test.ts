import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildPlan } from '#core/presets/build.ts';
import { presetFromPlan } from '#core/presets/fromPlan.ts';
import { parsePreset } from '#core/presets/parse.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { EXIT } from '../exitCodes.ts';
import { type Harness, startHarness } from '../testing/harness.ts';

const PLAN: PlanInput = {
  holdfast: 1,
  name: 'Enrolment at 8 o’clock',
  targets: [{ url: 'http://127.0.0.1:9/' }],
  journey: [
    { name: 'login', method: 'POST', path: '/login', form: { user: '{{people.username}}' }, required: true },
    { name: 'enrol', method: 'POST', path: '/enrol', gate: 'open' },
  ],
  bells: { open: { atSeconds: 20 } },
  feeds: { people: { file: 'people.csv' } },
  load: {
    model: 'arrivals',
    stages: [
      { kind: 'count', name: 'log in', arrivals: 60, seconds: 15 },
      { kind: 'constant', perSecond: 0, seconds: 30 },
    ],
  },
  criteria: [{ kind: 'responseTime', step: 'enrol', percentile: 95, maxMs: 5_000 }],
};

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});

const write = (name: string, text: string): Promise<void> => writeFile(join(harness.directory, name), text);

describe('presets', () => {
  it("from: writes a preset that builds the same plan and asks for the plan's numbers and files", async () => {
    await write('plan.json', JSON.stringify(PLAN));
    const run = await harness.run('presets', 'from', 'plan.json', '--output', 'enrolment.yaml');
    expect(run.code).toBe(EXIT.fine);
    const { preset, issues } = parsePreset(await readFile(join(harness.directory, 'enrolment.yaml'), 'utf8'));
    expect(issues).toEqual([]);
    expect(preset?.questions.map(({ id, default: value }) => [id, value])).toEqual([
      ['arrivals', 60],
      ['seconds', 15],
      ['perSecond', 0],
      ['seconds2', 30],
      ['atSeconds', 20],
      ['maxMs', 5_000],
      ['file', 'people.csv'],
    ]);
    const targets = planSchema.parse(PLAN).targets;
    const built = preset === null ? null : buildPlan(preset, {}, targets);
    expect(built?.issues).toEqual([]);
    expect({ ...built?.plan, preset: undefined, answers: undefined, story: '' }).toEqual({ ...planSchema.parse(PLAN), story: '' });
    expect(preset === null ? null : buildPlan(preset, { arrivals: 400, atSeconds: 12 }, targets).plan).toMatchObject({
      bells: { open: { atSeconds: 12 } },
      load: { stages: [{ arrivals: 400 }, {}] },
    });
  });

  it('add: a colleague’s preset is listed, described and removed again', async () => {
    await write('enrolment.yaml', presetFromPlan(planSchema.parse(PLAN)));
    const added = await harness.run('presets', 'add', 'enrolment.yaml');
    expect(added).toMatchObject({ code: EXIT.fine, out: expect.stringContaining('Added “Enrolment at 8 o’clock”') });
    expect((await harness.run('presets')).out).toContain('enrolment-at-8-o-clock: Enrolment at 8 o’clock [added by you]');
    const described = await harness.run('describe', 'enrolment-at-8-o-clock', '--set', 'arrivals=12');
    expect(described.out).toContain('All users wait before “enrol”');
    expect((await harness.run('presets', 'remove', 'enrolment-at-8-o-clock')).code).toBe(EXIT.fine);
    expect((await harness.run('presets')).out).not.toContain('enrolment');
  });

  it('add: refuses an invalid preset with every problem, and an id that is in use', async () => {
    const text = presetFromPlan(planSchema.parse(PLAN));
    await write('bad.yaml', text.replace('=arrivals', '=arivals').replace('=maxMs', '=maxM'));
    const bad = await harness.run('presets', 'add', 'bad.yaml');
    expect(bad.code).toBe(EXIT.failed);
    expect(bad.err).toMatch(/arivals[^]*maxM/);
    await write('shipped.yaml', text.replace('id: enrolment-at-8-o-clock', 'id: plain-page'));
    expect((await harness.run('presets', 'add', 'shipped.yaml')).err).toContain('There is already a preset called “plain-page”');
    await write('good.yaml', text);
    expect((await harness.run('presets', 'add', 'good.yaml')).code).toBe(EXIT.fine);
    expect((await harness.run('presets', 'add', 'good.yaml')).err).toContain('--replace');
    expect((await harness.run('presets', 'add', 'good.yaml', '--replace')).code).toBe(EXIT.fine);
    expect((await harness.run('presets', 'remove', 'plain-page')).err).toContain('No preset called “plain-page” was added.');
  });

  it('check: builds every combination of choices', async () => {
    await write('good.yaml', presetFromPlan(planSchema.parse(PLAN)));
    expect((await harness.run('presets', 'check', 'good.yaml')).out).toBe('“Enrolment at 8 o’clock” is valid: its plan was built.\n');
    await write('plan.json', JSON.stringify(PLAN));
    const check = await harness.run('presets', 'check', 'plan.json');
    expect(check).toMatchObject({ code: EXIT.invalidPlan, err: expect.stringContaining('This is not a preset.') });
  });
});
