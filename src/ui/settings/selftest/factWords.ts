import type { SelfTestCheck, SelfTestFact } from '#core/measurement/selfTest/report.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { words } from '#ui/words/words.ts';

const say = words.selfTest;

/** A figure in words; counts of bytes stay exact, because they are compared to the byte. */
export function valueWords(value: number | null, { unit }: Pick<SelfTestFact, 'unit'>): string {
  if (value === null) return say.nothing;
  if (unit === 'ms') return formatMs(value);
  return unit === 'bytes' ? `${formatCount(value)} B` : formatCount(value);
}

export function knownWords(fact: SelfTestFact): string {
  const value = valueWords(fact.known, fact);
  return fact.tolerance > 0 ? say.tolerance(value, valueWords(fact.tolerance, fact)) : value;
}

/** The figures that a row shows: those that are wrong; where none is, the number of requests and the usual time. */
export function shownFacts({ facts }: SelfTestCheck): readonly SelfTestFact[] {
  const wrong = facts.filter(({ passed }) => !passed);
  if (wrong.length > 0) return wrong;
  return [...facts.filter(({ kind }) => kind === 'count').slice(0, 1), ...facts.filter(({ kind }) => kind === 'time').slice(0, 1)];
}
