import { useMemo } from 'react';
import { formatSeconds } from '#core/base/units.ts';
import { drawnIndexes, middleOf } from '#core/presentation/charts/drawnIndexes.ts';
import { indexAt, stackLayers } from '#core/presentation/charts/drawnRows.ts';
import { type Plot, secondAt, xOf, yOf } from '#core/presentation/charts/geometry.ts';
import type { Axis } from '#core/presentation/charts/valueAxis.ts';
import type { ChartData, Span, Unit } from '#core/presentation/charts/types.ts';
import { formatElapsed, formatValue } from '#core/presentation/charts/units.ts';
import { words } from '../words/words.ts';
import { useTimeFrame } from './ChartView.tsx';
import { clockTime, useCrosshair, useLook } from './crosshair.ts';
import { Swatch } from './EndLabels.tsx';
import styles from './CrosshairLayer.module.css';

/** Share of all points that Page Up and Page Down move by. */
const PAGE_SHARE = 0.1;

/** Returns the index that a key moves to from `index` (-1: none yet), or null for other keys. */
export function walk(key: string, index: number, length: number): number | null {
  if (length === 0) return null;
  const page = Math.max(1, Math.round(length * PAGE_SHARE));
  const last = length - 1;
  const from = index < 0 ? last : index;
  const clamp = (next: number): number => Math.min(last, Math.max(0, next));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return clamp(from - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return clamp(from + 1);
    case 'PageDown':
      return clamp(from - page);
    case 'PageUp':
      return clamp(from + page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Returns the index of the drawn point nearest to a second of the run, or -1 without points. */
export function nearestDrawn(spans: readonly Span[], drawn: readonly number[], second: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  drawn.forEach((index, place) => {
    const span = spans[index];
    const distance = span ? Math.abs(middleOf(span) - second) : Number.POSITIVE_INFINITY;
    if (distance < least) {
      least = distance;
      best = place;
    }
  });
  return best;
}

interface CrosshairLayerProps {
  readonly id: string;
  readonly title: string;
  readonly data: ChartData;
  readonly unit: Unit;
  readonly axis: Axis;
  readonly logarithmic: boolean;
  readonly plot: Plot;
}

/**
 * Overlay of a chart: the crosshair that all charts of a view share, and the exact values of the chart under the pointer or with
 * the keyboard focus. For screen readers it is a slider over time.
 */
export function CrosshairLayer({ id, title, data, unit, axis, logarithmic, plot }: CrosshairLayerProps) {
  const frame = useTimeFrame();
  const crosshair = useCrosshair();
  const look = useLook();
  const isLooked = look !== null;
  // Computed only when needed: a live chart gets new data every second.
  const tops = useMemo(() => (isLooked ? findTops(data) : null), [isLooked, data]);
  const index = look ? indexAt(data.spans, look.second) : -1;
  const stated = look ? describe(data, unit, index, look.second, frame.startedAt) : '';

  const lookAt = (second: number): void => {
    const span = data.spans[indexAt(data.spans, second)];
    crosshair.move({ second: span ? middleOf(span) : second, chart: id });
  };
  const x = look ? xOf(look.second, frame.from, frame.to, plot) : 0;
  return (
    <>
      {look ? (
        <svg className={styles.marks} width={plot.width} height={plot.height} aria-hidden="true">
          <path d={`M${x} ${plot.top}V${plot.bottom}`} className={styles.line} />
          {data.series.map((one) => {
            const value = tops?.get(one.id)?.[index] ?? null;
            return value === null ? null : (
              <circle key={one.id} cx={x} cy={yOf(value, axis, logarithmic, plot)} r={3.5} fill={one.look.color} className={styles.dot} />
            );
          })}
        </svg>
      ) : null}
      <div
        className={styles.catcher}
        style={{ left: plot.left, top: plot.top, width: plot.right - plot.left, height: plot.bottom - plot.top }}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- [a native range would swallow scrolling by touch and stop inside gaps]
        role="slider"
        tabIndex={0}
        aria-label={words.charts.walk(title)}
        aria-valuemin={Math.floor(frame.from)}
        aria-valuemax={Math.ceil(frame.to)}
        aria-valuenow={Math.round(look?.second ?? frame.to)}
        aria-valuetext={stated === '' ? formatElapsed(look?.second ?? frame.to) : stated}
        onPointerMove={(event) => lookAt(secondAt(event.nativeEvent.offsetX + plot.left, frame.from, frame.to, plot))}
        onPointerDown={(event) => lookAt(secondAt(event.nativeEvent.offsetX + plot.left, frame.from, frame.to, plot))}
        onPointerLeave={(event) => {
          if (document.activeElement !== event.currentTarget) crosshair.move(null);
        }}
        onBlur={() => crosshair.move(null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') crosshair.move(null);
          const drawn = drawnIndexes(data.spans, data.series);
          const next = walk(event.key, look ? nearestDrawn(data.spans, drawn, look.second) : -1, drawn.length);
          const span = next === null ? undefined : data.spans[drawn[next] ?? -1];
          if (!span) return;
          event.preventDefault();
          crosshair.move({ second: middleOf(span), chart: id });
        }}
      />
      {look?.chart === id ? (
        <div
          className={styles.readout}
          aria-hidden="true"
          style={x > (plot.left + plot.right) / 2 ? { right: plot.width - x + 10, top: plot.top } : { left: x + 10, top: plot.top }}
        >
          <p className={styles.when}>{describeTime(data, index, look.second, frame.startedAt)}</p>
          {index < 0 ? (
            <p>{words.charts.noData}</p>
          ) : (
            <table>
              <tbody>
                {data.series.toReversed().map((one) => (
                  <tr key={one.id}>
                    <td>
                      <svg width={16} height={12}>
                        <Swatch id={id} series={one} x={1} y={6} />
                      </svg>
                    </td>
                    <td>{one.name}</td>
                    <td className={styles.value}>{formatValue(one.values[index] ?? null, unit)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      ) : null}
    </>
  );
}

/** Returns the height of the dot of each series: its value, or the upper edge of its stacked layer. */
function findTops({ series }: ChartData): Map<string, (number | null)[]> {
  const stacked = series.filter(({ shape }) => shape === 'stacked');
  const layers = stackLayers(stacked.map(({ values }) => values));
  return new Map(
    series.map((one) => {
      const layer = layers[stacked.indexOf(one)];
      return [one.id, layer ? layer.map((edges, at) => ((one.values[at] ?? 0) > 0 ? (edges?.[1] ?? null) : null)) : [...one.values]];
    }),
  );
}

function describeTime({ spans }: ChartData, index: number, second: number, startedAt: string | null): string {
  const span = spans[index];
  const from = span?.second ?? second;
  const elapsed = span && span.width > 1 ? words.charts.spanOf(formatElapsed(from), formatSeconds(span.width)) : formatElapsed(from);
  return words.charts.at(elapsed, clockTime(startedAt, from));
}

function describe(data: ChartData, unit: Unit, index: number, second: number, startedAt: string | null): string {
  const when = describeTime(data, index, second, startedAt);
  if (index < 0) return `${when}: ${words.charts.noData}`;
  return `${when}: ${data.series.map(({ name, values }) => words.charts.value(name, formatValue(values[index] ?? null, unit))).join(', ')}`;
}
