import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { createSecrets } from './secrets.ts';

const directory = temporaryDirectory();

function secretsWith(resolveAsk?: (label: string) => Promise<string>) {
  const knownNames: string[] = [];
  const secrets = createSecrets({ environment: { TOKEN: 'from-env' }, resolveAsk, onKnown: (value) => knownNames.push(value) });
  return { secrets, known: knownNames };
}

describe('createSecrets', () => {
  it('resolves each kind of reference and reports each value', async () => {
    writeFileSync(join(directory, 'token'), 'from-file\n');
    const { secrets, known } = secretsWith((label) => Promise.resolve(`answer to ${label}`));
    const session = secrets.keep('from-session');
    const file = `file:${join(directory, 'token')}`;
    const values = await secrets.resolve([session, 'env:TOKEN', file, 'ask:Cookie']);
    expect([...values.values()]).toEqual(['from-session', 'from-env', 'from-file', 'answer to Cookie']);
    expect(known).toEqual(expect.arrayContaining([...values.values()]));
  });

  it('lists all missing secrets, and asks the user nothing in that case', async () => {
    let requestCount = 0;
    const { secrets } = secretsWith(() => Promise.resolve(String(requestCount++)));
    const rejection = await secrets
      .resolve(['env:NOT_SET', 'session:gone', 'file:/no/such', 'ask:Cookie'])
      .catch((error: unknown) => error);
    expect(rejection).toMatchObject({
      code: 'SECRETS_MISSING',
      data: { missing: [{ reference: 'env:NOT_SET' }, { reference: 'session:gone' }, { reference: 'file:/no/such' }] },
    });
    expect(requestCount).toBe(0);
  });

  it('throws SECRETS_MISSING if a secret needs a prompt but the user cannot be asked', async () => {
    const { secrets } = secretsWith();
    await expect(secrets.resolve(['ask:Cookie'])).rejects.toMatchObject({ code: 'SECRETS_MISSING' });
  });
});
