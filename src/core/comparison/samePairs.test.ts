import { expect, it } from 'vitest';
import { SERVER_KINDS } from '#core/judgement/verdict/testing/simulatedServers.ts';
import { differentShare } from './testing/samePairs.ts';

/**
 * `npm run bench -- coverage --only comparisons` makes 1,000 of each kind, nightly tests make 100. If each pair is called different with a
 * probability of 5 %, 4 or more of 12 are called different once in 450 cases.
 */
const PAIRS = 12;
const MAX_DIFFERENT_SHARE = 3 / PAIRS;
/** Maximum for all kinds together. At a probability of 5 %, 22 or more of 252 pairs are called different once in 120 cases. */
const MAX_DIFFERENT_SHARE_OF_ALL = 21 / 252;

it('comparison: rarely calls runs of the same server different in any figure, for every kind of server', { timeout: 120_000 }, () => {
  const found = SERVER_KINDS.map((kind) => ({ kind: kind.name, different: differentShare(kind, PAIRS, 1) }));
  expect(found.filter(({ different }) => different > MAX_DIFFERENT_SHARE)).toEqual([]);
  expect(found.reduce((sum, { different }) => sum + different, 0) / found.length).toBeLessThanOrEqual(MAX_DIFFERENT_SHARE_OF_ALL);
});
