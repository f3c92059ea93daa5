import type { Turns } from '#core/base/turns.ts';
import { listInnerValues } from './innerValues.ts';
import { splitValue, listLeaves } from './leaves.ts';
import { Needles } from './needles.ts';
import { listEncodings } from './valueLocations.ts';
import type { Exchange } from './walk.ts';

/** Returns all sent values that a response may contain, in each encoding that pages use. */
export function* readNeedles(requests: readonly Exchange[]): Turns<Needles> {
  const sent = new Set<string>();
  for (const request of requests) {
    yield;
    for (const leaf of listLeaves(request))
      for (const value of [leaf.value, ...splitValue(leaf.value).flat(), ...listInnerValues(leaf).map((inner) => inner.leaf.value)])
        for (const form of listEncodings(value)) sent.add(form);
  }
  return new Needles(sent);
}
