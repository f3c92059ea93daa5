import { changeWords, formatFigure, intervalWords, judgementWords, MEASURE_WORDS, scopeWords } from '#core/comparison/words.ts';
import type { FigureDifference, Pair } from '#core/comparison/schema.ts';
import { classes } from '../components/classes.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import styles from './DifferenceTable.module.css';

const texts = words.compare.table;

interface DifferenceTableProps {
  readonly differences: Pair['differences'];
  /** What the table shows, for screen readers. */
  readonly caption: string;
  /** Headings of the columns with the figures of the two sides. */
  readonly from: string;
  readonly to: string;
}

/** Every figure of two sides: the change, its interval, and whether it is more than noise. */
export function DifferenceTable({ differences, caption, from, to }: DifferenceTableProps) {
  const hasScopes = differences.some(({ scope }) => scope.kind !== 'run');
  const columns: Columns = { from, to, change: texts.change, interval: texts.interval, judgement: texts.judgement };
  return (
    <Table caption={caption} stacks>
      <thead>
        <Row>
          <HeadCell>{texts.figure}</HeadCell>
          {Object.values(columns).map((column) => (
            <HeadCell key={column} numeric>
              {column}
            </HeadCell>
          ))}
        </Row>
      </thead>
      <tbody>
        {differences.map((one) => (
          <DifferenceRow
            key={`${one.scope.kind} ${one.scope.name} ${one.measure}`}
            difference={one}
            columns={columns}
            hasScope={hasScopes}
          />
        ))}
      </tbody>
    </Table>
  );
}

/** Headings, in the order of the columns. */
type Columns = Readonly<Record<'from' | 'to' | 'change' | 'interval' | 'judgement', string>>;

interface DifferenceRowProps {
  readonly difference: FigureDifference;
  readonly columns: Columns;
  readonly hasScope: boolean;
}

function DifferenceRow({ difference, columns, hasScope }: DifferenceRowProps) {
  const { scope, measure, from, to, change, judgement, direction } = difference;
  const isClaimed = judgement === 'differs';
  return (
    <Row>
      <HeadCell scope="row">
        {MEASURE_WORDS[measure]}
        {hasScope ? <span className={styles.about}>{scopeWords(scope)}</span> : null}
      </HeadCell>
      <Cell numeric label={columns.from}>
        <Spread spread={from} measure={measure} />
      </Cell>
      <Cell numeric label={columns.to}>
        <Spread spread={to} measure={measure} />
      </Cell>
      <Cell numeric label={columns.change}>
        <span className={isClaimed ? styles.claimed : styles.quiet}>{change === null ? '–' : changeWords(change, difference)}</span>
      </Cell>
      <Cell numeric label={columns.interval}>
        <span className={styles.quiet}>{intervalWords(difference) ?? '–'}</span>
      </Cell>
      <Cell numeric label={columns.judgement}>
        <span className={classes(isClaimed ? styles.claimed : styles.quiet, isClaimed && direction !== null && styles[direction])}>
          {judgementWords(difference)}
        </span>
      </Cell>
    </Row>
  );
}

function Spread({ spread, measure }: { readonly spread: FigureDifference['from']; readonly measure: FigureDifference['measure'] }) {
  if (spread === null) return '–';
  const { median, least, most } = spread;
  return (
    <span>
      {formatFigure(median, measure)}
      {least === most ? null : (
        <span className={styles.about}>{texts.range(formatFigure(least, measure), formatFigure(most, measure))}</span>
      )}
    </span>
  );
}
