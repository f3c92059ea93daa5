import type { ObjectiveResult } from '#core/result/schema.ts';
import { formatCount } from '#core/base/units.ts';
import { objectiveTable } from '#core/presentation/document/evidence.ts';
import { words } from '../words/words.ts';
import { Blocks } from '../components/Blocks.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './ResultPage.module.css';

const texts = words.results.objectives;

/** With more criteria than this, passed ones are folded. */
export const MAX_OPEN = 4;
/** Number of failed and inconclusive criteria that stay open. One less than the maximum, so that a fold never hides only one. */
const FIRST_OPEN = MAX_OPEN - 1;

interface FoldedLimits {
  /** Failed, then inconclusive criteria that are not folded; without folds, all criteria in the order of the plan. */
  readonly open: readonly ObjectiveResult[];
  readonly broken: readonly ObjectiveResult[];
  readonly unknown: readonly ObjectiveResult[];
  readonly kept: readonly ObjectiveResult[];
  readonly counts: Readonly<Record<ObjectiveResult['outcome'], number>>;
}

/** Splits the criteria of a run into open and folded ones. */
export function foldedLimits(objectives: readonly ObjectiveResult[]): FoldedLimits {
  const of = (outcome: ObjectiveResult['outcome']): ObjectiveResult[] => objectives.filter((one) => one.outcome === outcome);
  const [breaks, unknown, holds] = [of('breaks'), of('unknown'), of('holds')];
  const counts = { breaks: breaks.length, unknown: unknown.length, holds: holds.length };
  if (objectives.length <= MAX_OPEN) return { open: objectives, broken: [], unknown: [], kept: [], counts };
  return {
    open: [...breaks, ...unknown].slice(0, FIRST_OPEN),
    broken: breaks.slice(FIRST_OPEN),
    unknown: unknown.slice(Math.max(0, FIRST_OPEN - breaks.length)),
    kept: holds,
    counts,
  };
}

interface ObjectivesTableProps {
  readonly objectives: readonly ObjectiveResult[];
  /** Text shown without criteria. */
  readonly none: string;
}

/** Table of criteria with measured values and confidence. If there are many, only the first failed or inconclusive ones are open. */
export function ObjectivesTable({ objectives, none }: ObjectivesTableProps) {
  if (objectives.length === 0) return <p className={styles.quiet}>{none}</p>;
  const { open, broken, unknown, kept, counts } = foldedLimits(objectives);
  if (open.length === objectives.length) return <LimitsTable caption={texts.caption} objectives={open} />;
  const holds = formatCount(counts.holds);
  const folded = [
    { title: texts.broken(formatCount(broken.length)), caption: texts.captionBroken, all: broken },
    { title: texts.unknown(formatCount(unknown.length)), caption: texts.captionUnknown, all: unknown },
    { title: open.length === 0 ? texts.allKept(holds) : texts.kept(holds), caption: texts.captionKept, all: kept },
  ];
  return (
    <div className={styles.limits}>
      {open.length === 0 ? null : (
        <>
          <p>{texts.counts(formatCount(objectives.length), formatCount(counts.breaks), formatCount(counts.unknown), holds)}</p>
          <LimitsTable caption={texts.captionOpen} objectives={open} />
        </>
      )}
      <div>
        {folded.map(({ title, caption, all }) =>
          all.length === 0 ? null : (
            <Disclosure key={caption} title={title}>
              <LimitsTable caption={caption} objectives={all} />
            </Disclosure>
          ),
        )}
      </div>
    </div>
  );
}

function LimitsTable({ caption, objectives }: { readonly caption: string; readonly objectives: readonly ObjectiveResult[] }) {
  return <Blocks blocks={objectiveTable(caption, objectives)} />;
}
