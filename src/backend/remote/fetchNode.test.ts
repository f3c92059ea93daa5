import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { fetchNode, mustHaveHash } from './installNode.ts';

it('mustHaveHash accepts only content whose hash the registry states', () => {
  const content = Buffer.from('node');
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  expect(() => mustHaveHash(content, integrity)).not.toThrow();
  expect(() => mustHaveHash(Buffer.from('evil'), integrity)).toThrow(/does not match the hash/);
});

it('fetchNode passes on the error of npm for a missing package', { timeout: 120_000 }, async () => {
  await expect(fetchNode('node-no-such-system')).rejects.toMatchObject({
    code: 'NODE_FETCH',
    message: expect.stringMatching(/^Node could not be fetched from npm \(node-no-such-system\): .+/),
  });
});
