import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import type { Note } from '../calculator.ts';

/** Beyond so many standard deviations nobody would call it chance: 1 in 15,000. */
const CHANCE_DEVIATIONS = 4;

export interface StoredGap {
  /** Stored of all that could have been handed in. */
  readonly share: number;
  /** Fewer than expected; negative: more. */
  readonly missing: number;
  /** How many standard deviations of a binomial count lie between; infinite where nothing is left to chance. */
  readonly deviations: number;
}

/** Compares what is stored with a binomial count: `possible` occasions, each taken with the probability `answered` (0 to 1). */
export function storedGap(stored: number, possible: number, answered: number): StoredGap {
  const missing = Math.round(possible * answered) - stored;
  const deviation = Math.sqrt(possible * answered * (1 - answered));
  return { share: possible === 0 ? 0 : stored / possible, missing, deviations: missing === 0 ? 0 : missing / deviation };
}

export function judgeStored(stored: number, possible: number, answered: number): Note {
  const { share, missing, deviations } = storedGap(stored, possible, answered);
  if (stored > possible)
    return {
      level: 'problem',
      text: `${formatCount(stored)} responses are stored, more than the ${formatCount(possible)} that were asked for.`,
    };
  const size = Math.abs(deviations);
  const gap = `${formatCount(stored)} responses are stored, ${formatCount(Math.abs(missing))} ${missing < 0 ? 'more' : 'fewer'} than expected: ${formatPercent(share, 4)} were answered`;
  if (size <= CHANCE_DEVIATIONS) return { level: 'info', text: `${gap}. Chance alone may do that.` };
  const apart = Number.isFinite(size) ? `${formatNumber(size)} standard deviations away: ` : '';
  const cause = missing > 0 ? 'uploads that failed, or fewer people than planned' : 'more people than planned';
  return { level: 'warning', text: `${gap}. That is ${apart}not chance but ${cause}.` };
}
