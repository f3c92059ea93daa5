import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

const presetText = (changes: Record<string, unknown> = {}): string =>
  JSON.stringify({
    holdfastPreset: 1,
    id: 'enrolment',
    title: 'Does our enrolment survive?',
    story: 'Everybody enrols at eight.',
    origin: 'Ada, a colleague',
    takesMinutes: 1,
    questions: [{ id: 'people', kind: 'number', label: 'How many people?', default: 10, min: 1, max: 100 }],
    plan: {
      holdfast: 1,
      name: 'Enrolment',
      journey: [{ name: 'enrol', path: '/{{people.name}}' }],
      feeds: { people: { file: '/srv/people.csv' } },
      load: { model: 'connections', stages: [{ connections: '=people', seconds: 5 }] },
    },
    ...changes,
  });

describe('presets of other people', () => {
  let test: TestBackend;
  beforeAll(async () => {
    const presetsDirectory = temporaryDirectory();
    writeFileSync(join(presetsDirectory, 'shipped.json'), presetText({ id: 'shipped' }));
    test = await startTestBackend({ presetsDirectory });
  });
  afterAll(() => test.close());
  const listed = async (): Promise<string[]> => (await test.client.call('presets.list', {})).map(({ id }) => id);

  it('are read with what their test needs, and are not stored by reading', async () => {
    const { preset, issues, taken, asks } = await test.client.call('presets.check', { source: presetText() });
    expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
    expect(preset?.origin).toBe('Ada, a colleague');
    expect(taken).toBeNull();
    expect(asks.map(({ kind, name }) => [kind, name])).toEqual([['file', '/srv/people.csv']]);
    expect(await listed()).toEqual(['shipped']);
  });

  it('are listed once they are added, and no longer once they are removed', async () => {
    const source = presetText();
    expect(await test.client.call('presets.add', { source })).toEqual({ id: 'enrolment' });
    expect(await listed()).toEqual(['shipped', 'enrolment']);
    expect(await test.client.call('presets.added', {})).toEqual(['enrolment']);
    expect(await test.client.call('presets.check', { source })).toMatchObject({ taken: 'added' });
    await expect(test.client.call('presets.add', { source })).rejects.toMatchObject({ code: 'PRESET_EXISTS' });
    const other = presetText({ title: 'Does our new enrolment survive?' });
    await test.client.call('presets.add', { source: other, replaces: true });
    expect(await test.client.call('presets.remove', { id: 'enrolment' })).toEqual({ source: other });
    expect(await listed()).toEqual(['shipped']);
    expect(await test.client.call('presets.added', {})).toEqual([]);
  });

  it('show all mistakes at once, and cannot replace or remove shipped presets', async () => {
    const { preset, issues } = await test.client.call('presets.check', { source: presetText({ title: '', takesMinutes: -1 }) });
    expect(preset).toBeNull();
    expect(issues.map(({ path }) => path).toSorted()).toEqual(['takesMinutes', 'title']);
    const source = presetText({ id: 'shipped' });
    expect(await test.client.call('presets.check', { source })).toMatchObject({ taken: 'shipped' });
    await expect(test.client.call('presets.add', { source, replaces: true })).rejects.toMatchObject({ code: 'PRESET_EXISTS' });
    await expect(test.client.call('presets.remove', { id: 'shipped' })).rejects.toMatchObject({ code: 'NO_SUCH_PRESET' });
  });

  it('that have forty choices are read in bounded memory', async () => {
    const questions = Array.from({ length: 40 }, (_, index) => ({
      id: `q${index}`,
      kind: 'choice',
      label: 'Which?',
      default: 'a',
      options: ['a', 'b', 'c'].map((value) => ({ value, label: value })),
      ...(index === 0 ? {} : { when: { [`q${index - 1}`]: ['a', 'b', 'c'] } }),
    }));
    const journey = [{ name: 'enrol' }];
    const plan = { holdfast: 1, name: 'Enrolment', journey, load: { model: 'connections', stages: [{ connections: 1, seconds: 5 }] } };
    const { preset } = await test.client.call('presets.check', { source: presetText({ questions, plan }) });
    expect(preset?.questions).toHaveLength(40);
  });
});
