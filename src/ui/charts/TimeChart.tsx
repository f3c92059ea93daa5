import { ChartLine, Table2 } from 'lucide-react';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { hasDirectLabels } from '#core/presentation/charts/geometry.ts';
import type { ChartBand, ChartData, Limit, Unit } from '#core/presentation/charts/types.ts';
import { chartSummary } from '#core/presentation/charts/names.ts';
import { needsLogarithm } from '#core/presentation/charts/valueAxis.ts';
import { Button } from '../components/Button.tsx';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import { ChartStage } from './ChartStage.tsx';
import { ChartMenu } from './ChartMenu.tsx';
import type { KeyEntry } from './picture.ts';
import { ChartTable } from './ChartTable.tsx';
import { useTimeFrame } from './ChartView.tsx';
import { Swatch } from './EndLabels.tsx';
import { useNear } from './useNear.ts';
import { useWidth } from './useWidth.ts';
import styles from './TimeChart.module.css';

const UNITS: Readonly<Record<Unit, string>> = {
  perSecond: '1/s',
  bytesPerSecond: 'B/s',
  ms: 'ms',
  count: '',
  share: '0 to 1',
  bytes: 'B',
  cores: 'cores',
};

/** Returns all points of a chart, not only the drawn ones, as RFC 4180 CSV. Unknown values are empty fields. */
export function chartCsv({ spans, series }: ChartData, unit: Unit, startedAt: string | null): string {
  const suffix = UNITS[unit] === '' ? '' : ` (${UNITS[unit]})`;
  const head = ['second', 'width (s)', 'from', ...series.map(({ name }) => `${name}${suffix}`)];
  const begin = startedAt === null ? null : Date.parse(startedAt);
  const lines = spans.map(({ second, width }, index) => [
    String(second),
    String(width),
    begin === null ? '' : new Date(begin + second * 1_000).toISOString(),
    ...series.map(({ values }) => String(values[index] ?? '')),
  ]);
  return [head, ...lines].map((fields) => `${fields.map(quoted).join(',')}\r\n`).join('');
}

function quoted(field: string): string {
  // Spreadsheets run cells that begin with these characters as formulas.
  const safe = /^[=+\-@\t\r]/.test(field) && Number.isNaN(Number(field)) ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

interface TimeChartProps {
  readonly title: string;
  readonly unit: Unit;
  /** What the values are, shown beside the title; default: the unit. */
  readonly about?: string;
  readonly data: ChartData;
  readonly bands?: readonly ChartBand[];
  readonly limits?: readonly Limit[];
  readonly height?: number;
  /** Offers a logarithmic axis, and uses it by default where a linear axis would flatten the usual values. */
  readonly canBeLogarithmic?: boolean;
  /** Whether a legend above several charts already names the lines. */
  readonly hasKeyAbove?: boolean;
  /** Shown instead of an empty chart. */
  readonly empty?: ReactNode;
}

/** Reads the entries of a rendered legend. */
function listEntries(key: HTMLUListElement | null): KeyEntry[] {
  return [...(key?.children ?? [])].flatMap((entry) => {
    const swatch = entry.querySelector('svg');
    return swatch === null ? [] : [{ swatch, name: entry.textContent }];
  });
}

const NO_BANDS: readonly ChartBand[] = [];
const NO_LIMITS: readonly Limit[] = [];

/** Chart of values over the time of a run. Needs a ChartView above it. */
export function TimeChart({
  title,
  unit,
  about = words.charts.units[unit],
  data,
  bands = NO_BANDS,
  limits = NO_LIMITS,
  height = 240,
  canBeLogarithmic = false,
  hasKeyAbove = false,
  empty,
}: TimeChartProps) {
  const frame = useTimeFrame();
  const id = `chart${useId().replaceAll(/\W/g, '_')}`;
  const [chosenScale, setChosenScale] = useState<boolean | null>(null);
  const [isTable, setTable] = useState(false);
  // State instead of a ref: the element appears with the first values, and its width is measured then.
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const key = useRef<HTMLUListElement>(null);
  const width = useWidth(box);
  const isNear = useNear(box);

  const needsIt = useMemo(() => canBeLogarithmic && needsLogarithm(data, limits, unit), [canBeLogarithmic, data, limits, unit]);
  const [wasNeeded, setWasNeeded] = useState(false);
  // A live chart never switches back by itself: an axis that changes repeatedly is unreadable.
  if (needsIt && !wasNeeded) setWasNeeded(true);
  const isLogarithmic = chosenScale ?? (needsIt || wasNeeded);
  const isEmpty = data.spans.length === 0 || data.series.length === 0;
  return (
    <figure className={styles.chart} aria-labelledby={`${id}-title`}>
      <figcaption className={styles.head}>
        <h3 id={`${id}-title`} className={styles.title}>
          {title} <span className={styles.unit}>{about}</span>
        </h3>
        {isEmpty ? null : (
          <div className={styles.tools}>
            {canBeLogarithmic && !isTable ? (
              <ToggleButton className={classes(styles.toggle)} isSelected={isLogarithmic} onChange={setChosenScale}>
                {words.charts.logarithmic}
              </ToggleButton>
            ) : null}
            <Button
              look="quiet"
              size="small"
              icon={isTable ? <ChartLine /> : <Table2 />}
              aria-label={`${isTable ? words.charts.showChart : words.charts.showTable}: ${title}`}
              onPress={() => setTable(!isTable)}
            />
            <ChartMenu
              title={title}
              drawing={() => box?.querySelector('[aria-hidden] > svg') ?? null}
              lines={() => listEntries(key.current)}
              csv={() => chartCsv(data, unit, frame.startedAt)}
              data={data}
            />
          </div>
        )}
      </figcaption>
      {!isEmpty && !isTable && width > 0 && !hasDirectLabels(width, data.series) ? (
        // Below a shared legend this one is hidden: only exported pictures use it.
        <ul ref={key} className={styles.key} aria-hidden="true" hidden={hasKeyAbove}>
          {data.series.map((one) => (
            <li key={one.id}>
              <svg width={16} height={12}>
                <Swatch id={id} series={one} x={1} y={6} />
              </svg>
              {one.name}
            </li>
          ))}
        </ul>
      ) : null}
      {isEmpty ? (
        <div className={styles.empty} style={{ minHeight: height }}>
          {empty ?? words.charts.empty}
        </div>
      ) : (
        <div ref={setBox} className={styles.box}>
          {isTable ? (
            <ChartTable title={title} data={data} unit={unit} startedAt={frame.startedAt} />
          ) : (
            <div className={styles.stage} style={{ minHeight: height }}>
              <p className="only-read-out">{chartSummary(data, unit)}</p>
              {width > 0 ? (
                <ChartStage
                  id={id}
                  title={title}
                  unit={unit}
                  data={data}
                  bands={bands}
                  limits={limits}
                  isLogarithmic={isLogarithmic}
                  width={width}
                  height={height}
                  frame={frame}
                  isNear={isNear}
                />
              ) : null}
            </div>
          )}
        </div>
      )}
    </figure>
  );
}
