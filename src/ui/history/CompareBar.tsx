import { Flag, GitCompareArrows } from 'lucide-react';
import { navigate } from 'wouter/use-hash-location';
import { MOST_SIDES } from '#contract/api.ts';
import { type RunRow } from '#contract/replies.ts';
import { formatCount } from '#core/base/units.ts';
import { compareAddress, proposedSides } from '../app/compareAddress.ts';
import { useNameBaseline } from '../app/useNameBaseline.ts';
import { Button } from '../components/Button.tsx';
import { words } from '../words/words.ts';
import styles from './HistoryPage.module.css';

interface CompareBarProps {
  readonly runs: readonly RunRow[];
  readonly onClear: () => void;
}

/** What can be done with the runs that are chosen. */
export function CompareBar({ runs, onClear }: CompareBarProps) {
  const say = words.compare.fromHistory;
  const { isPending, name } = useNameBaseline();
  const nameAll = (): void =>
    name(
      runs.map(({ id }) => id),
      onClear,
    );
  return (
    <section aria-label={say.bar} className={styles.bar}>
      <p aria-live="polite">{runs.length < 2 ? say.needsTwo : say.chosen(formatCount(runs.length))}</p>
      <Button look="quiet" onPress={onClear}>
        {say.clear}
      </Button>
      <Button icon={<Flag />} isPending={isPending} onPress={nameAll}>
        {runs.length === 1 ? words.baseline.name : words.baseline.nameChosen}
      </Button>
      <Button
        look="primary"
        icon={<GitCompareArrows />}
        isDisabled={runs.length < 2}
        onPress={() => navigate(compareAddress(proposedSides(runs, MOST_SIDES)))}
      >
        {say.compare}
      </Button>
    </section>
  );
}
