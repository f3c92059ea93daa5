import { describe, expect, it } from 'vitest';
import { importText } from '#core/import/importText.ts';
import { askedNames, isPresetText, withKeptSecrets } from './usePaste.ts';

describe('withKeptSecrets', () => {
  it('stores imported secrets in memory and does not change other references', async () => {
    const result = importText(`curl -b sid=abcdef -H "X-Key: $KEY" -d password=hush http://a.example/`);
    if (result.kind !== 'imported') throw new Error(JSON.stringify(result));
    const keptNames: string[] = [];
    const plan = await withKeptSecrets(result.imported, new Map(), async (value) => `session:${keptNames.push(value)}`);
    expect(keptNames).toEqual(['hush', 'sid=abcdef']);
    expect(plan).toMatchObject({
      targets: [{ cookie: { secret: 'session:2' } }],
      variables: { password: { kind: 'secret', secret: 'session:1' }, KEY: { kind: 'secret', secret: 'ask:KEY' } },
    });
    expect(JSON.stringify(plan)).not.toContain('hush');
    expect(askedNames(result.imported)).toEqual(['KEY']);
    const answered = await withKeptSecrets(
      result.imported,
      new Map([['KEY', 'mine']]),
      async (value) => `session:${keptNames.push(value)}`,
    );
    expect(answered).toMatchObject({ variables: { KEY: { kind: 'secret', secret: 'session:5' } } });
    expect(keptNames.at(-1)).toBe('mine');
  });
});

it('isPresetText: recognizes presets in YAML and JSON, but no plans', () => {
  expect(isPresetText('# By a colleague\nholdfastPreset: 1\nid: enrolment\n')).toBe(true);
  expect(isPresetText('{ "holdfastPreset": 1, "id": "enrolment" }')).toBe(true);
  expect(isPresetText('{\n  "id": "enrolment",\n  "holdfastPreset": 1\n}')).toBe(true);
  expect(isPresetText('holdfast: 1\nstory: a holdfastPreset: of mine\n')).toBe(false);
  expect(isPresetText(`holdfastPreset: 1\n${'#'.repeat(1_000_000)}`)).toBe(false);
});
