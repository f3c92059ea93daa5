import { judgementWords } from '#core/comparison/format.ts';
import type { Comparison, FigureDifference, Pair } from '#core/comparison/schema.ts';
import { sideLetter } from '#core/comparison/sideNames.ts';
import { changeWords, formatFigure, intervalWords, MEASURE_WORDS, scopeWords } from '#core/comparison/words.ts';
import { Card } from '../components/Card.tsx';
import { classes } from '../components/classes.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import styles from './ComparePage.module.css';

const texts = words.compare.table;
const { sideName } = words.compare.runs;

/** Every figure of each side beside the first one: the change, its interval, and whether it is more than noise. */
export function DifferenceTables({ comparison }: { readonly comparison: Comparison }) {
  return comparison.pairs.map((pair) => {
    const title = texts.title(sideName(sideLetter(pair.side)), sideName(sideLetter(pair.reference)));
    return (
      <Card key={pair.side} title={title} flush={pair.differences.length > 0}>
        {pair.differences.length === 0 ? <p>{texts.none}</p> : <DifferenceTable pair={pair} title={title} />}
      </Card>
    );
  });
}

function DifferenceTable({ pair, title }: { readonly pair: Pair; readonly title: string }) {
  const hasScopes = pair.differences.some(({ scope }) => scope.kind !== 'run');
  const columns: Columns = {
    from: sideName(sideLetter(pair.reference)),
    to: sideName(sideLetter(pair.side)),
    change: texts.change,
    interval: texts.interval,
    judgement: texts.judgement,
  };
  return (
    <Table caption={title} stacks>
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
        {pair.differences.map((one) => (
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
    <>
      {formatFigure(median, measure)}
      {least === most ? null : (
        <span className={styles.about}>{texts.range(formatFigure(least, measure), formatFigure(most, measure))}</span>
      )}
    </>
  );
}
