import { ChartLine, Table2, ZoomOut } from 'lucide-react';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { plotArea } from '#core/presentation/charts/geometry.ts';
import type { ChartData, RunChart, Unit } from '#core/presentation/charts/types.ts';
import { chartSummary } from '#core/presentation/charts/names.ts';
import { needsLogarithm, valueAxis } from '#core/presentation/charts/valueAxis.ts';
import { Button } from '../components/Button.tsx';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import { ChartMenu } from './ChartMenu.tsx';
import { ChartTable } from './ChartTable.tsx';
import { type TimeRange, useChartView } from './ChartView.tsx';
import { Legend, useSwitches } from './Legend.tsx';
import type { KeyEntry } from './picture.ts';
import { RangeMarks } from './RangeMarks.tsx';
import { TimePlot, type TimePlotProps } from './TimePlot.tsx';
import { TimeWalk } from './TimeWalk.tsx';
import { useDrawingTurn } from './useNear.ts';
import { useWidth } from '../components/useWidth.ts';
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
  return [head, ...lines].map((fields) => `${fields.map(quoteCsv).join(',')}\r\n`).join('');
}

function quoteCsv(field: string): string {
  // Spreadsheets run fields that begin with these characters as formulas.
  const safe = /^[=+\-@\t\r]/.test(field) && Number.isNaN(Number(field)) ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the entries of a rendered legend whose lines are switched on. */
function legendEntries(legend: HTMLDivElement | null): KeyEntry[] {
  return [...(legend?.querySelectorAll('[aria-pressed=true]') ?? [])].flatMap((entry) => {
    const swatch = entry.querySelector('svg');
    return swatch === null ? [] : [{ swatch, name: entry.textContent }];
  });
}

/** Returns the data of a range of time, without the lines that are switched off. */
function visibleData({ spans, series }: ChartData, zoom: TimeRange | null, isOff: (id: string) => boolean): ChartData {
  const visibleSeries = series.filter(({ id }) => !isOff(id));
  if (zoom === null) return { spans, series: visibleSeries };
  const start = spans.findIndex(({ second, width }) => second + width > zoom.from);
  const end = spans.findLastIndex(({ second }) => second < zoom.to) + 1;
  const cut = <One,>(values: readonly One[]): readonly One[] => (start === -1 ? [] : values.slice(start, end));
  return { spans: cut(spans), series: visibleSeries.map((one) => ({ ...one, values: cut(one.values) })) };
}

interface TimeChartProps extends RunChart {
  /** Height in CSS pixels. */
  readonly height?: number;
  /** Whether a legend above several charts shows the lines by their ids. */
  readonly hasLegendAbove?: boolean;
}

/** Returns the data of a range of time, without the lines that the legend switched off. */
function useShownData(data: ChartData, zoom: TimeRange | null, keyOf: (line: string) => string): ChartData {
  const { off } = useSwitches();
  const offHere = data.series.flatMap((one) => (off.has(keyOf(one.id)) ? [one.id] : [])).join('\n');
  return useMemo(() => {
    const ids = new Set(offHere.split('\n'));
    return visibleData(data, zoom, (line) => ids.has(line));
  }, [data, zoom, offHere]);
}

/** Returns whether the axis is logarithmic, and a setter. By default, only an axis of times is, and only if its values need it. */
function useScale(data: ChartData, limits: RunChart['limits'], unit: Unit): [boolean, (isLogarithmic: boolean) => void] {
  const [chosenScale, setChosenScale] = useState<boolean | null>(null);
  const [wasNeeded, setWasNeeded] = useState(false);
  const needsIt = useMemo(() => unit === 'ms' && needsLogarithm(data, limits, unit), [data, limits, unit]);
  // A live chart never switches back by itself, because a scale that changes repeatedly is unreadable.
  if (needsIt && !wasNeeded) setWasNeeded(true);
  return [chosenScale ?? (needsIt || wasNeeded), setChosenScale];
}

interface ChartToolsProps {
  readonly title: string;
  readonly zoom: Pick<ReturnType<typeof useChartView>, 'zoom' | 'zoomTo'>;
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
  /** null if the chart has no other scale. */
  readonly scale: { readonly isLogarithmic: boolean; readonly onChange: (isLogarithmic: boolean) => void } | null;
  readonly children: ReactNode;
}

function ChartTools({ title, zoom: { zoom, zoomTo }, isTable, onTable, scale, children }: ChartToolsProps) {
  return (
    <div className={styles.tools}>
      {scale === null || isTable ? null : (
        <ToggleButton className={classes(styles.toggle)} isSelected={scale.isLogarithmic} onChange={scale.onChange}>
          {words.charts.logarithmic}
        </ToggleButton>
      )}
      {zoom === null ? null : (
        <Button
          look="quiet"
          size="small"
          icon={<ZoomOut />}
          aria-label={`${words.charts.zoom.leave}: ${title}`}
          onPress={() => zoomTo(null)}
        />
      )}
      <Button
        look="quiet"
        size="small"
        icon={isTable ? <ChartLine /> : <Table2 />}
        aria-label={`${isTable ? words.charts.showChart : words.charts.showTable}: ${title}`}
        onPress={() => onTable(!isTable)}
      />
      {children}
    </div>
  );
}

/** Chart of values over the time of a run. Needs a ChartView above it. */
export function TimeChart({
  title,
  unit,
  about,
  data,
  bands,
  limits,
  height = 240,
  hasLegendAbove = false,
  empty = words.charts.empty,
}: TimeChartProps) {
  const view = useChartView();
  const id = `chart${useId().replaceAll(/\W/g, '_')}`;
  const [isTable, setTable] = useState(false);
  // State instead of a ref, because the element appears with the first values and is measured then.
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const key = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const { zoom, syncId } = view;
  const keyOf = (line: string): string => (hasLegendAbove ? line : `${title}\n${line}`);
  const shownChartData = useShownData(data, zoom, keyOf);
  const [isLogarithmic, setChosenScale] = useScale(shownChartData, limits, unit);
  const isEmpty = data.spans.length === 0 || data.series.length === 0;
  const wantedProps = useMemo((): TimePlotProps | null => {
    if (width === 0) return null;
    const plot = plotArea({ width, height, hasNames: view.stages.length > 1 || isLogarithmic });
    const axis = valueAxis(shownChartData, limits, unit, isLogarithmic);
    return { id, data: shownChartData, bands, limits, unit, axis, isLogarithmic, plot, frame: { ...view, ...zoom }, syncId };
  }, [width, height, id, shownChartData, bands, limits, unit, isLogarithmic, view, zoom, syncId]);
  const drawnProps = useDrawingTurn(isTable ? null : box, wantedProps);
  return (
    <figure className={styles.chart} aria-labelledby={`${id}-title`}>
      <figcaption className={styles.head}>
        <h3 id={`${id}-title`} className={styles.title}>
          {title} <span className={styles.unit}>{about}</span>
        </h3>
        {isEmpty ? null : (
          <ChartTools
            title={title}
            zoom={view}
            isTable={isTable}
            onTable={setTable}
            scale={unit === 'ms' ? { isLogarithmic, onChange: setChosenScale } : null}
          >
            <ChartMenu
              title={title}
              drawing={() => box?.querySelector('svg.recharts-surface') ?? null}
              lines={() => legendEntries(key.current)}
              csv={() => chartCsv(data, unit, view.startedAt)}
              data={shownChartData}
            />
          </ChartTools>
        )}
      </figcaption>
      {isEmpty ? null : (
        // Hidden if there is a shared legend; then it is used for exported pictures only.
        <div ref={key} className={styles.key} hidden={hasLegendAbove}>
          <Legend lines={data.series.map((one) => ({ key: keyOf(one.id), name: one.name, look: one.look, shape: one.shape }))} />
        </div>
      )}
      {isEmpty ? (
        <div className={styles.empty} style={{ minHeight: height }}>
          {empty}
        </div>
      ) : (
        <div ref={setBox} className={styles.box}>
          {isTable ? (
            <ChartTable title={title} data={shownChartData} unit={unit} startedAt={view.startedAt} />
          ) : (
            <TimeDrawing title={title} unit={unit} height={height} data={shownChartData} plot={drawnProps} />
          )}
        </div>
      )}
    </figure>
  );
}

interface TimeDrawingProps extends Pick<TimeChartProps, 'title' | 'unit'> {
  readonly height: number;
  readonly data: ChartData;
  /** null until it is the chart's turn to be drawn. */
  readonly plot: TimePlotProps | null;
}

function TimeDrawing({ title, unit, height, data, plot }: TimeDrawingProps) {
  return (
    <div style={{ minHeight: height }}>
      <p className="only-read-out">{chartSummary(data, unit)}</p>
      {plot === null ? null : (
        <TimeWalk title={title} data={plot.data} unit={unit} plot={plot.plot} frame={plot.frame}>
          <div aria-hidden="true" className={styles.picture}>
            <TimePlot {...plot} />
          </div>
          <RangeMarks title={title} plot={plot.plot} frame={plot.frame} />
        </TimeWalk>
      )}
    </div>
  );
}
