import type { ObjectiveResult } from '#core/result/schema.ts';
import { formatCount } from '#core/base/units.ts';
import { objectiveTable } from '#core/presentation/document/evidence.ts';
import { words } from '../words/words.ts';
import { Blocks } from '../components/Blocks.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './ResultPage.module.css';

const texts = words.results.objectives;

/** Of more criteria than this, those that passed are folded: what a reader looks for first is what did not. */
export const MOST_OPEN = 4;

interface FoldedLimits {
  /** All of a few, in the order of the plan; of many those that failed, then those that are inconclusive. */
  readonly open: readonly ObjectiveResult[];
  readonly passed: readonly ObjectiveResult[];
}

/** Which criteria of a run stand open, and which behind a fold. */
export function foldedLimits(objectives: readonly ObjectiveResult[]): FoldedLimits {
  if (objectives.length <= MOST_OPEN) return { open: objectives, passed: [] };
  const of = (outcome: ObjectiveResult['outcome']): ObjectiveResult[] => objectives.filter((one) => one.outcome === outcome);
  return { open: [...of('breaks'), ...of('unknown')], passed: of('holds') };
}

interface ObjectivesTableProps {
  readonly objectives: readonly ObjectiveResult[];
  /** What stands here when nothing was judged. */
  readonly none: string;
}

/** Each criterion with what was measured and how sure that is; of many, those that passed are one line that opens. */
export function ObjectivesTable({ objectives, none }: ObjectivesTableProps) {
  if (objectives.length === 0) return <p className={styles.quiet}>{none}</p>;
  const { open, passed } = foldedLimits(objectives);
  if (open.length === objectives.length) return <LimitsTable caption={texts.caption} objectives={open} />;
  const failed = open.filter(({ outcome }) => outcome === 'breaks').length;
  const count = formatCount(passed.length);
  return (
    <div className={styles.limits}>
      {open.length === 0 ? null : (
        <>
          <p>{texts.counts(formatCount(objectives.length), formatCount(failed), formatCount(open.length - failed), count)}</p>
          <LimitsTable caption={texts.captionOpen} objectives={open} />
        </>
      )}
      <Disclosure title={open.length === 0 ? texts.allPassed(count) : texts.passed(count)}>
        <LimitsTable caption={texts.captionPassed} objectives={passed} />
      </Disclosure>
    </div>
  );
}

function LimitsTable({ caption, objectives }: { readonly caption: string; readonly objectives: readonly ObjectiveResult[] }) {
  return <Blocks blocks={objectiveTable(caption, objectives)} />;
}
