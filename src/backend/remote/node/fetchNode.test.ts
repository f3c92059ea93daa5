import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { fetchNode, mustHaveHash } from './fetchNode.ts';

it('takes only what the registry names', () => {
  const content = Buffer.from('node');
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  expect(() => mustHaveHash(content, integrity)).not.toThrow();
  expect(() => mustHaveHash(Buffer.from('evil'), integrity)).toThrow(/does not match the hash/);
});

it('says what npm says when there is no such Node', { timeout: 120_000 }, async () => {
  await expect(fetchNode('node-no-such-system')).rejects.toMatchObject({
    code: 'NODE_FETCH',
    message: expect.stringMatching(/^Node could not be fetched from npm \(node-no-such-system\): .+/),
  });
});
