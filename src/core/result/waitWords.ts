import { formatCount, formatNumber, formatRate } from '#core/base/units.ts';
import type { WaitResult } from './waits.ts';

/** How many results came that a step waited for, and how fast while there was work. */
export function waitWords({ step, begun, came, perSecond, clearedAtSecond }: WaitResult): string {
  const rate = perSecond === null ? '' : `, ${formatRate(perSecond)} while there was work`;
  if (came < begun)
    return `${formatCount(begun - came)} of ${formatCount(begun)} results of “${step}” had not come when the test ended${rate}.`;
  return `All ${formatCount(begun)} results of “${step}” came${clearedAtSecond === null ? '' : ` by second ${formatNumber(clearedAtSecond)}`}${rate}.`;
}
