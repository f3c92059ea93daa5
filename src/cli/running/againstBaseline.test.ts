import { expect, it } from 'vitest';
import { EXIT } from '../exitCodes.ts';
import { codeOfBoth } from './againstBaseline.ts';

it.each([
  ['what is fine and not worse', EXIT.fine, EXIT.fine, EXIT.fine],
  ['what is fine and worse', EXIT.fine, EXIT.worse, EXIT.worse],
  ['what is fine and cannot be compared', EXIT.fine, EXIT.inconclusive, EXIT.inconclusive],
  ['a missed limit, which says more than being worse', EXIT.objectivesMissed, EXIT.worse, EXIT.objectivesMissed],
  ['limits that are not known, and worse', EXIT.inconclusive, EXIT.worse, EXIT.worse],
  ['limits that are not known, and not worse', EXIT.inconclusive, EXIT.fine, EXIT.inconclusive],
])('the exit code of %s', (_, measured, compared, expected) => expect(codeOfBoth(measured, compared)).toBe(expected));
