import { expect, it } from 'vitest';
import { SERVER_KINDS } from '#core/judgement/verdict/testing/simulatedServers.ts';
import { calledDifferent } from './testing/samePairs.ts';

/** `npm run bench -- coverage --only comparisons` makes 1,000 of each. Of 30 with 5 %, 6 or more are called different once in 300 times. */
const PAIRS = 30;
const MOST_DIFFERENT = 5 / PAIRS;

it.each(SERVER_KINDS.map((kind) => [kind.name, kind] as const))(
  'runs of the same server are hardly ever called different after looking at all figures: %s',
  (_, kind) => {
    expect(calledDifferent(kind, PAIRS, 1)).toBeLessThanOrEqual(MOST_DIFFERENT);
  },
);
