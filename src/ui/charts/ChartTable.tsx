import { formatCount, formatSeconds } from '#core/base/units.ts';
import { drawnIndexes } from '#core/presentation/charts/drawnIndexes.ts';
import type { ChartData, Unit } from '#core/presentation/charts/types.ts';
import { formatElapsed, formatValue } from '#core/presentation/charts/units.ts';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import { clockTime } from './crosshair.ts';
import styles from './ChartTable.module.css';

interface ChartTableProps {
  readonly title: string;
  readonly data: ChartData;
  readonly unit: Unit;
  readonly startedAt: string | null;
}

/** A chart in words and numbers; the same points that the picture draws. */
export function ChartTable({ title, data, unit, startedAt }: ChartTableProps) {
  const drawn = drawnIndexes(data.spans, data.series);
  const texts = words.charts.table;
  const lengthsDiffer = data.spans.some(({ width }) => width !== 1);
  return (
    <>
      {drawn.length < data.spans.length ? (
        <p className={styles.note}>{texts.shortened(formatCount(drawn.length), formatCount(data.spans.length))}</p>
      ) : null}
      <div className={styles.frame}>
        <Table caption={title}>
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
                    {formatElapsed(span.second)}
                  </HeadCell>
                  <Cell numeric>{clockTime(startedAt, span.second)}</Cell>
                  {lengthsDiffer ? <Cell numeric>{formatSeconds(span.width)}</Cell> : null}
                  {data.series.map(({ id, values }) => (
                    <Cell key={id} numeric>
                      {formatValue(values[index] ?? null, unit)}
                    </Cell>
                  ))}
                </Row>
              ) : null;
            })}
          </tbody>
        </Table>
      </div>
    </>
  );
}
