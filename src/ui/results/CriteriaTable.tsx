import { formatCount } from '#core/base/units.ts';
import { criterionTable } from '#core/presentation/document/evidence.ts';
import { words } from '../words/words.ts';
import { Blocks } from '../components/Blocks.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import styles from './ResultPage.module.css';
import type { CriterionResult } from '#core/result/verdict.ts';

const texts = words.results.criteria;

/** Maximum number of criteria that are all visible. If there are more, the passed ones are collapsed. */
export const MAX_OPEN = 4;
/**
 * Maximum number of failed and inconclusive criteria that are visible if others are collapsed. It is one less than {@link MAX_OPEN}, so at
 * least two criteria are collapsed.
 */
const FIRST_OPEN = MAX_OPEN - 1;

interface FoldedCriteria {
  /**
   * Criteria that are not collapsed: failed ones, then inconclusive ones. If nothing is collapsed, these are all criteria in the order of
   * the plan.
   */
  readonly open: readonly CriterionResult[];
  readonly moreFailed: readonly CriterionResult[];
  readonly unknown: readonly CriterionResult[];
  readonly morePassed: readonly CriterionResult[];
  readonly counts: Readonly<Record<CriterionResult['outcome'], number>>;
}

/** Splits the criteria of a run into visible and collapsed ones. */
export function foldCriteria(criteria: readonly CriterionResult[]): FoldedCriteria {
  const withOutcome = (outcome: CriterionResult['outcome']): CriterionResult[] => criteria.filter((one) => one.outcome === outcome);
  const [failed, unknown, passed] = [withOutcome('failed'), withOutcome('unknown'), withOutcome('passed')];
  const counts = { failed: failed.length, unknown: unknown.length, passed: passed.length };
  if (criteria.length <= MAX_OPEN) return { open: criteria, moreFailed: [], unknown: [], morePassed: [], counts };
  return {
    open: [...failed, ...unknown].slice(0, FIRST_OPEN),
    moreFailed: failed.slice(FIRST_OPEN),
    unknown: unknown.slice(Math.max(0, FIRST_OPEN - failed.length)),
    morePassed: passed,
    counts,
  };
}

interface CriteriaTableProps {
  readonly criteria: readonly CriterionResult[];
  /** Text that is shown if there are no criteria. */
  readonly none: string;
}

/** Table of criteria with measured values and confidence. If there are many, only the first failed or inconclusive ones are visible. */
export function CriteriaTable({ criteria, none }: CriteriaTableProps) {
  if (criteria.length === 0) return <p className={styles.quiet}>{none}</p>;
  const { open, moreFailed, unknown, morePassed, counts } = foldCriteria(criteria);
  if (open.length === criteria.length) return <CriteriaRows caption={texts.caption} criteria={open} />;
  const passed = formatCount(counts.passed);
  const folded = [
    { title: texts.moreFailed(formatCount(moreFailed.length)), caption: texts.captionFailed, all: moreFailed },
    { title: texts.unknown(formatCount(unknown.length)), caption: texts.captionUnknown, all: unknown },
    { title: open.length === 0 ? texts.allPassed(passed) : texts.morePassed(passed), caption: texts.captionPassed, all: morePassed },
  ];
  return (
    <div className={styles.limits}>
      {open.length === 0 ? null : (
        <>
          <p>{texts.counts(formatCount(criteria.length), formatCount(counts.failed), formatCount(counts.unknown), passed)}</p>
          <CriteriaRows caption={texts.captionOpen} criteria={open} />
        </>
      )}
      <div>
        {folded.map(({ title, caption, all }) =>
          all.length === 0 ? null : (
            <Disclosure key={caption} title={title}>
              <CriteriaRows caption={caption} criteria={all} />
            </Disclosure>
          ),
        )}
      </div>
    </div>
  );
}

function CriteriaRows({ caption, criteria }: { readonly caption: string; readonly criteria: readonly CriterionResult[] }) {
  return <Blocks blocks={criterionTable(caption, criteria)} />;
}
