import { HoldfastError } from '#core/base/errors.ts';
import type { Behaviour } from './behaviour.ts';
import { closing } from './closing.ts';
import { exponentialDelay } from './exponentialDelay.ts';
import { fixedDelay } from './fixedDelay.ts';
import { freeze } from './freeze.ts';
import { immediate } from './immediate.ts';
import { largeBody } from './largeBody.ts';
import { oldHttp } from './oldHttp.ts';
import { resets } from './resets.ts';
import { shortBody } from './shortBody.ts';
import { silence } from './silence.ts';
import { unavailable } from './unavailable.ts';

/** Every behaviour, in the order in which they are measured. */
export const BEHAVIOURS: readonly Behaviour[] = [
  immediate,
  fixedDelay,
  exponentialDelay,
  freeze,
  closing,
  unavailable,
  resets,
  silence,
  shortBody,
  largeBody,
  oldHttp,
];

export function findBehaviour(id: string): Behaviour {
  const found = BEHAVIOURS.find((behaviour) => behaviour.id === id);
  if (found) return found;
  throw new HoldfastError({
    code: 'NO_SUCH_BEHAVIOUR',
    message: `The self-test's server knows no behaviour ${JSON.stringify(id)}.`,
    hint: `It knows: ${BEHAVIOURS.map((behaviour) => behaviour.id).join(', ')}.`,
  });
}
