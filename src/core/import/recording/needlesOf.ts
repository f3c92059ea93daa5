import type { Turns } from '#core/base/turns.ts';
import { innerValues } from './innerValues.ts';
import { getParts, recordedLeaves } from './leaves.ts';
import { Needles } from './needles.ts';
import { writtenForms } from './valueLocations.ts';
import type { Exchange } from './walk.ts';

/** Returns all sent values that a response may contain, in each notation that pages use. */
export function* readNeedles(requests: readonly Exchange[]): Turns<Needles> {
  const sent = new Set<string>();
  for (const request of requests) {
    yield;
    for (const leaf of recordedLeaves(request))
      for (const value of [leaf.value, ...getParts(leaf.value).flat(), ...innerValues(leaf).map((inner) => inner.leaf.value)])
        for (const form of writtenForms(value)) sent.add(form);
  }
  return new Needles(sent);
}
