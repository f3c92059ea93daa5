import type { Comparison, Pair } from '#core/comparison/schema.ts';
import { Banner, type Tone } from '../components/Banner.tsx';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import styles from './ComparePage.module.css';

const texts = words.compare;

/** The answer of each pair before any figure, with what stands behind it. */
export function Answers({ comparison }: { readonly comparison: Comparison }) {
  return (
    <Stack gap={16}>
      {comparison.pairs.map((pair) => {
        const { tone, title } = markOf(pair);
        return (
          <Stack key={pair.side} gap={8}>
            <Banner tone={tone} title={title}>
              {pair.sentence}
            </Banner>
            <ul className={styles.reasons}>
              {pair.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </Stack>
        );
      })}
    </Stack>
  );
}

/** Colour and word of an answer. Better here and worse there is neither. */
function markOf({ conclusion, differences }: Pair): { readonly tone: Tone; readonly title: string } {
  const { conclusions } = texts;
  if (conclusion === 'refused' || conclusion === 'tooFew') return { tone: 'inconclusive', title: conclusions[conclusion] };
  if (conclusion === 'withinNoise') return { tone: 'info', title: conclusions.withinNoise };
  const directions = new Set(
    differences.flatMap(({ judgement, direction }) => (judgement === 'differs' && direction !== null ? [direction] : [])),
  );
  const [only, ...others] = directions;
  if (only === undefined || others.length > 0) return { tone: 'info', title: conclusions.mixed };
  return { tone: only === 'worse' ? 'breaks' : 'holds', title: conclusions[only] };
}
