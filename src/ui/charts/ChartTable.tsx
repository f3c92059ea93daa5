import { formatCount, formatSeconds } from '#core/base/units.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { chooseDrawnIndexes } from '#core/presentation/charts/drawnIndexes.ts';
import type { ChartData, Unit } from '#core/presentation/charts/types.ts';
import { formatSpanStart, formatValue } from '#core/presentation/charts/units.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import { clockTime } from './moment.ts';
import styles from './ChartTable.module.css';

/** Minimum ratio of a column's maximum to its median. Columns with a lower ratio are not shaded. */
const MIN_OUTLIER_RATIO = 1.5;

interface ChartTableProps {
  readonly title: string;
  readonly data: ChartData;
  readonly unit: Unit;
  readonly startedAt: string | null;
}

/** Shows the points that the chart draws in a table. */
export function ChartTable({ title, data, unit, startedAt }: ChartTableProps) {
  const drawn = chooseDrawnIndexes(data.spans, data.series);
  const texts = words.charts.table;
  const scales = data.series.map(({ values }) => heatScale(values));
  const lengthsDiffer = data.spans.some(({ width }) => width !== 1);
  return (
    <>
      {drawn.length < data.spans.length ? (
        <p className={styles.note}>{texts.shortened(formatCount(drawn.length), formatCount(data.spans.length))}</p>
      ) : null}
      <Table caption={title} isLong>
        <thead>
          <Row>
            <HeadCell numeric>{texts.from}</HeadCell>
            <HeadCell numeric>{texts.clock}</HeadCell>
            {lengthsDiffer ? <HeadCell numeric>{texts.length}</HeadCell> : null}
            {data.series.map(({ id, name }) => (
              <HeadCell key={id} numeric>
                {name}
              </HeadCell>
            ))}
          </Row>
        </thead>
        <tbody>
          {drawn.map((index) => {
            const span = data.spans[index];
            return span ? (
              <Row key={span.second}>
                <HeadCell scope="row" numeric>
                  {formatSpanStart(span)}
                </HeadCell>
                <Cell numeric>{clockTime(startedAt, span.second)}</Cell>
                {lengthsDiffer ? <Cell numeric>{formatSeconds(span.width)}</Cell> : null}
                {data.series.map(({ id, values }, column) => (
                  <Cell key={id} numeric heat={scales[column]?.(values[index] ?? null)}>
                    {formatValue(values[index] ?? null, unit)}
                  </Cell>
                ))}
              </Row>
            ) : null;
          })}
        </tbody>
      </Table>
    </>
  );
}

/**
 * Returns how strongly to shade a value of a column, from 0 to 1. This is the logarithm of the value's ratio to the median, relative to the
 * logarithm for the maximum. Values up to the median, and columns without outliers, are not shaded.
 */
export function heatScale(values: readonly (number | null)[]): (value: number | null) => number | undefined {
  const knownValues = values.filter((value) => value !== null).toSorted((one, other) => one - other);
  const [usual, most] = [medianOf(knownValues), knownValues.at(-1) ?? 0];
  if (most <= MIN_OUTLIER_RATIO * usual) return () => undefined;
  const logDistance = (value: number): number => Math.log1p(value) - Math.log1p(usual);
  return (value) => (value === null || value <= usual ? undefined : logDistance(value) / logDistance(most));
}
