import { HoldfastError } from '#core/errors.ts';
import { contestLab } from './contest/contest.ts';
import type { Lab } from './lab.ts';

/** Every practice server there is, in the order in which they are offered. */
export const LABS: readonly Lab[] = [contestLab];

/** Throws `NO_SUCH_LAB`, whose hint lists the names there are. */
export function findLab(name: string): Lab {
  const lab = LABS.find((candidate) => candidate.name === name);
  if (lab) return lab;
  throw new HoldfastError({
    code: 'NO_SUCH_LAB',
    message: name === '' ? 'No practice server was named.' : `There is no practice server called ${JSON.stringify(name)}.`,
    hint: `There is: ${LABS.map((known) => known.name).join(', ')}.`,
  });
}
