import type { Standing } from '#core/comparison/schema.ts';
import type { Tone } from '../components/Banner.tsx';

/** Returns the colour of a comparison's verdict. A mixed result is neither good nor bad. */
export function toneOfStanding(standing: Standing): Tone {
  switch (standing) {
    case 'worse':
      return 'breaks';
    case 'better':
      return 'holds';
    case 'tooFew':
    case 'refused':
      return 'inconclusive';
    case 'isBaseline':
    case 'different':
    case 'withinNoise':
      return 'info';
    default:
      return standing satisfies never;
  }
}
