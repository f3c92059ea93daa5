import { formatShare } from '#core/base/units.ts';
import { words } from '../words/words.ts';

/** Nearly all is said by what is missing: "99.91 %" hides what "all but 1 in 1,170" shows. */
const NEARLY_ALL = 0.99;

/** A part of a whole as people say it; empty for nothing, and for a part of nothing. */
export function shareWords(part: number, whole: number): string {
  if (part === 0 || whole === 0) return '';
  const share = part / whole;
  return share > NEARLY_ALL && share < 1 ? words.run.allBut(formatShare(1 - share)) : formatShare(share);
}
