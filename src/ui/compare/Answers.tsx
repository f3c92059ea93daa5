import type { Comparison } from '#core/comparison/schema.ts';
import { standingOf } from '#core/comparison/baseline.ts';
import { toneOfStanding } from '#ui/shared/comparison.ts';
import { Banner } from '../components/Banner.tsx';
import { Stack } from '../components/Page.tsx';
import { words } from '../words/words.ts';
import styles from './ComparePage.module.css';

const texts = words.compare;

/** The verdict of each pair with its reasons, above all figures. */
export function Answers({ comparison }: { readonly comparison: Comparison }) {
  return (
    <Stack gap={16}>
      {comparison.pairs.map((pair) => {
        const standing = standingOf(pair);
        return (
          <Stack key={pair.side} gap={8}>
            <Banner tone={toneOfStanding(standing)} title={texts.conclusions[standing]}>
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
