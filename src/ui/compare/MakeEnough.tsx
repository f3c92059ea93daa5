import { Repeat } from 'lucide-react';
import type { Comparison } from '#core/comparison/schema.ts';
import { smallestChange } from '#core/comparison/smallestChange.ts';
import { formatShare } from '#core/base/units.ts';
import { useCall } from '#ui/shared/backend.ts';
import { versionsAddress } from '#ui/shared/comparison.ts';
import { LinkButton } from '../components/Button.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { words } from '../words/words.ts';
import styles from './ComparePage.module.css';

const texts = words.compare.enough;
const MAX_POINTS = 600;

/** Offers to repeat both runs if two sides have too few runs for a verdict; otherwise renders nothing. */
export function MakeEnough({ comparison: { sides, pairs } }: { readonly comparison: Comparison }) {
  const [pair, ...otherPairs] = pairs;
  const [a, b] = sides.map(({ runs }) => runs);
  const first = a?.[0];
  const second = b?.[0];
  if (pair?.conclusion !== 'tooFew' || otherPairs.length > 0 || first === undefined || second === undefined) return null;
  const areSingle = a?.length === 1 && b?.length === 1;
  return (
    <Card title={texts.title}>
      <Stack gap={12}>
        <p className={styles.prose}>
          {areSingle ? <Smallest first={first.id} second={second.id} /> : texts.unknown} {texts.story}
        </p>
        <div>
          <LinkButton to={versionsAddress(first.id, second.id)} look="primary" icon={<Repeat />}>
            {texts.button}
          </LinkButton>
        </div>
      </Stack>
    </Card>
  );
}

/** Reports the smallest difference that two single runs can show, estimated from the scatter of their seconds. */
function Smallest({ first, second }: { readonly first: string; readonly second: string }) {
  const one = useCall('runs.points', { runId: first, maxPoints: MAX_POINTS });
  const other = useCall('runs.points', { runId: second, maxPoints: MAX_POINTS });
  const smallest = one.data && other.data ? smallestChange(one.data, other.data) : null;
  return smallest === null ? texts.unknown : texts.smallest(formatShare(inWholePercents(smallest)));
}

/** Rounds a share up to whole percent, at least 1 %. */
function inWholePercents(share: number): number {
  return Math.max(1, Math.ceil(share * 100)) / 100;
}
