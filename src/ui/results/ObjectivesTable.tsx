import type { ObjectiveResult } from '#core/result/schema.ts';
import { formatCount } from '#core/base/units.ts';
import { objectiveTable } from '#core/presentation/document/evidence.ts';
import { words } from '../words/words.ts';
import { Blocks } from '../components/Blocks.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './ResultPage.module.css';

const texts = words.results.objectives;

/** More limits of one outcome than this are folded: what a reader looks for first is what broke. */
export const MOST_OPEN = 8;

interface FoldedLimits {
  /** What broke, all of it, then the first that are not known, then what was kept where it is little; in the order of the plan where nothing is folded. */
  readonly open: readonly ObjectiveResult[];
  /** Not known, and more than those that stand open. */
  readonly unknown: readonly ObjectiveResult[];
  /** Kept, and too many to stand open. */
  readonly kept: readonly ObjectiveResult[];
  readonly counts: Readonly<Record<ObjectiveResult['outcome'], number>>;
}

/** Which limits of a run stand open, and which behind a fold. */
export function foldedLimits(objectives: readonly ObjectiveResult[]): FoldedLimits {
  const of = (outcome: ObjectiveResult['outcome']): ObjectiveResult[] => objectives.filter((one) => one.outcome === outcome);
  const [breaks, unknown, holds] = [of('breaks'), of('unknown'), of('holds')];
  const counts = { breaks: breaks.length, unknown: unknown.length, holds: holds.length };
  if (holds.length <= MOST_OPEN && unknown.length <= MOST_OPEN) return { open: objectives, unknown: [], kept: [], counts };
  const isKeptOpen = holds.length <= MOST_OPEN;
  return {
    open: [...breaks, ...unknown.slice(0, MOST_OPEN), ...(isKeptOpen ? holds : [])],
    unknown: unknown.slice(MOST_OPEN),
    kept: isKeptOpen ? [] : holds,
    counts,
  };
}

interface ObjectivesTableProps {
  readonly objectives: readonly ObjectiveResult[];
  /** What stands here when nothing was judged. */
  readonly none: string;
}

/** Each limit with what was measured and how sure that is; many of which it is not known, or that were kept, are folded below. */
export function ObjectivesTable({ objectives, none }: ObjectivesTableProps) {
  if (objectives.length === 0) return <p className={styles.quiet}>{none}</p>;
  const { open, unknown, kept, counts } = foldedLimits(objectives);
  if (unknown.length === 0 && kept.length === 0) return <LimitsTable caption={texts.caption} objectives={open} />;
  const holds = formatCount(counts.holds);
  return (
    <div className={styles.limits}>
      {open.length === 0 ? null : (
        <>
          <p>{texts.counts(formatCount(objectives.length), formatCount(counts.breaks), formatCount(counts.unknown), holds)}</p>
          <LimitsTable caption={unknown.length === 0 ? texts.captionOpen : texts.captionSome} objectives={open} />
        </>
      )}
      {unknown.length === 0 ? null : (
        <Disclosure title={texts.unknown(formatCount(unknown.length))}>
          <LimitsTable caption={texts.captionUnknown} objectives={unknown} />
        </Disclosure>
      )}
      {kept.length === 0 ? null : (
        <Disclosure title={open.length === 0 ? texts.allKept(holds) : texts.kept(holds)}>
          <LimitsTable caption={texts.captionKept} objectives={kept} />
        </Disclosure>
      )}
    </div>
  );
}

function LimitsTable({ caption, objectives }: { readonly caption: string; readonly objectives: readonly ObjectiveResult[] }) {
  return <Blocks blocks={objectiveTable(caption, objectives)} />;
}
