import type { ObjectiveResult } from '#core/result/schema.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatShare, NOT_KNOWN, type TimeMs } from '#core/base/units.ts';
import { formatElapsed } from '#core/presentation/charts/units.ts';
import { words } from '../words/words.ts';
import { Disclosure } from '../components/Disclosure.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { Explained } from '../components/Term.tsx';
import { type Mark, VerdictMark } from '../components/VerdictMark.tsx';
import { percentileWords } from './timeWords.ts';
import styles from './ResultPage.module.css';

const texts = words.results.objectives;

/** What was measured, in the unit of the objective. */
export function measuredWords({ objective, measured, unit }: ObjectiveResult): string {
  if (unit === 'ms') return percentileWords(measured, objective.kind === 'responseTime' ? objective.percentile : 100);
  return valueWords(measured, unit);
}

export function limitWords({ limit, unit }: ObjectiveResult): string {
  return valueWords(limit, unit);
}

function valueWords(value: TimeMs, unit: ObjectiveResult['unit']): string {
  if (value === null) return NOT_KNOWN;
  if (value === 'never') return words.common.never;
  switch (unit) {
    case 'ms':
      return formatMs(value);
    case 'share':
      return formatShare(value);
    case 'perSecond':
      return formatRate(value);
    case 'apdex':
      return value.toFixed(2);
    default:
      return unit satisfies never;
  }
}

/** The bounds of the share over the limit; empty where the objective is not about a share. Percent on both sides, to compare. */
export function intervalWords({ shareLow, shareHigh }: ObjectiveResult): string {
  if (shareLow === null || shareHigh === null) return '';
  return texts.between(formatPercent(shareLow), formatPercent(shareHigh));
}

/** The stage and step that were judged. */
export function whereWords({ stage, step }: ObjectiveResult): string {
  return step === null ? stage : texts.whereStep(stage, step);
}

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

const MARKS: Readonly<Record<ObjectiveResult['outcome'], Mark>> = { holds: 'holds', breaks: 'breaks', unknown: 'inconclusive' };

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

interface LimitsTableProps {
  readonly caption: string;
  readonly objectives: readonly ObjectiveResult[];
}

function LimitsTable({ caption, objectives }: LimitsTableProps) {
  const { columns } = texts;
  const anyFrom = objectives.some(({ fromSecond }) => fromSecond !== null);
  return (
    <Table caption={caption} stacks>
      <thead>
        <Row>
          <HeadCell>{columns.outcome}</HeadCell>
          <HeadCell>{columns.limit}</HeadCell>
          <HeadCell>{columns.where}</HeadCell>
          <HeadCell numeric>{columns.measured}</HeadCell>
          <HeadCell numeric>{columns.counted}</HeadCell>
          <HeadCell numeric>{columns.over}</HeadCell>
          <HeadCell numeric>
            <Explained explanation={texts.interval}>{columns.interval}</Explained>
          </HeadCell>
          {anyFrom ? <HeadCell numeric>{columns.from}</HeadCell> : null}
        </Row>
      </thead>
      <tbody>
        {objectives.map((result) => (
          <Row key={`${result.text} ${result.stage} ${result.step ?? ''}`}>
            <Cell>
              <VerdictMark mark={MARKS[result.outcome]} />
            </Cell>
            <Cell wrap>
              <p className={styles.limit}>{result.text}</p>
              <p className={styles.reason}>{result.reason}</p>
            </Cell>
            <Cell wrap label={columns.where}>
              {whereWords(result)}
            </Cell>
            <Cell numeric label={columns.measured} title={limitWords(result)}>
              <span className={styles.measured}>{measuredWords(result)}</span>
            </Cell>
            <Cell numeric label={columns.counted}>
              {result.counted === null ? '' : formatCount(result.counted)}
            </Cell>
            <Cell numeric label={columns.over}>
              {result.over === null ? '' : formatCount(result.over)}
            </Cell>
            <Cell numeric label={columns.interval}>
              {result.shareLow === null ? null : <span className={styles.interval}>{intervalWords(result)}</span>}
            </Cell>
            {anyFrom ? (
              <Cell numeric label={columns.from}>
                {result.fromSecond === null ? '' : formatElapsed(result.fromSecond)}
              </Cell>
            ) : null}
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
