import type { Standing } from '#core/comparison/schema.ts';
import type { Tone } from '../components/Banner.tsx';

/** The colour of an answer, which its word stands beside. Better here and worse there is neither. */
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
