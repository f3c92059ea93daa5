import { describe, expect, it } from 'vitest';
import { importText } from '#core/import/importText.ts';
import { askedNames, withKeptSecrets } from './usePaste.ts';

describe('withKeptSecrets', () => {
  it('stores imported secrets in memory and does not change other references', async () => {
    const result = importText(`curl -b sid=abcdef -H "X-Key: $KEY" -d password=hush http://a.example/`);
    if (result.kind !== 'imported') throw new Error(JSON.stringify(result));
    const kept: string[] = [];
    const plan = await withKeptSecrets(result.imported, new Map(), async (value) => `session:${kept.push(value)}`);
    expect(kept).toEqual(['hush', 'sid=abcdef']);
    expect(plan).toMatchObject({
      targets: [{ cookie: { secret: 'session:2' } }],
      variables: { password: { kind: 'secret', secret: 'session:1' }, KEY: { kind: 'secret', secret: 'ask:KEY' } },
    });
    expect(JSON.stringify(plan)).not.toContain('hush');
    expect(askedNames(result.imported)).toEqual(['KEY']);
    const answered = await withKeptSecrets(result.imported, new Map([['KEY', 'mine']]), async (value) => `session:${kept.push(value)}`);
    expect(answered).toMatchObject({ variables: { KEY: { kind: 'secret', secret: 'session:5' } } });
    expect(kept.at(-1)).toBe('mine');
  });
});
