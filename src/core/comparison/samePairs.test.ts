import { expect, it } from 'vitest';
import { SERVER_KINDS } from '#core/judgement/verdict/testing/simulatedServers.ts';
import { calledDifferent } from './testing/samePairs.ts';

/** `npm run bench -- coverage --only comparisons` makes 1,000 of each kind, nights make 100. Of 12 with 5 %, 4 or more are called different once in 450 times. */
const PAIRS = 12;
const MOST_DIFFERENT = 3 / PAIRS;
/** Of all kinds together: of 252 with 5 %, 22 or more are called different once in 120 times. */
const MOST_DIFFERENT_OF_ALL = 21 / 252;

it('runs of the same server are hardly ever called different after looking at all figures, whatever its kind', { timeout: 120_000 }, () => {
  const found = SERVER_KINDS.map((kind) => ({ kind: kind.name, different: calledDifferent(kind, PAIRS, 1) }));
  expect(found.filter(({ different }) => different > MOST_DIFFERENT)).toEqual([]);
  expect(found.reduce((sum, { different }) => sum + different, 0) / found.length).toBeLessThanOrEqual(MOST_DIFFERENT_OF_ALL);
});
