import type { DrawnRow } from '#core/presentation/charts/drawnRows.ts';
import { type Plot, yOf } from '#core/presentation/charts/geometry.ts';
import { layOutLabels } from '#core/presentation/charts/layOutLabels.ts';
import type { Axis } from '#core/presentation/charts/valueAxis.ts';
import type { ChartSeries } from '#core/presentation/charts/types.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { getPaint } from './SeriesShapes.tsx';

interface EndLabelsProps {
  readonly id: string;
  readonly rows: readonly DrawnRow[];
  readonly series: readonly ChartSeries[];
  readonly axis: Axis;
  readonly logarithmic: boolean;
  readonly plot: Plot;
}

const GAP = 15;

/** Draws series names beside the ends of their lines, moved apart where they would overlap. */
export function EndLabels({ id, rows, series, axis, logarithmic, plot }: EndLabelsProps) {
  const wanted = series.map((one) => {
    const value = lastHeight(rows, one.id);
    return value === null ? plot.bottom : yOf(value, axis, logarithmic, plot);
  });
  const places = layOutLabels(wanted, GAP, plot.top + 4, plot.bottom - 4);
  return (
    <g>
      {series.map((one, index) => {
        const y = places[index] ?? plot.top;
        return (
          <g key={one.id}>
            <Swatch id={id} series={one} x={plot.right + 4} y={y} />
            <text x={plot.right + 22} y={y + 4} fontSize={12} fill="var(--chart-axis)">
              {one.label}
            </text>
          </g>
        );
      })}
    </g>
  );
}

const SWATCH = 14;

/** A short sample of the line, area or dots of a series. */
export function Swatch({
  id,
  series,
  x,
  y,
}: {
  readonly id: string;
  readonly series: ChartSeries;
  readonly x: number;
  readonly y: number;
}) {
  const { look, shape } = series;
  switch (shape) {
    case 'stacked':
      return (
        <rect
          x={x}
          y={y - 5}
          width={SWATCH}
          height={10}
          fill={getPaint(id, series)}
          fillOpacity={look.hatched ? 1 : 0.75}
          stroke={look.color}
        />
      );
    case 'dots':
      return <path d={`M${x + 2} ${y}h0M${x + 7} ${y}h0M${x + 12} ${y}h0`} stroke={look.color} strokeWidth={4} strokeLinecap="round" />;
    case 'line':
      return <path d={`M${x} ${y}h${SWATCH}`} stroke={look.color} strokeWidth={2} strokeDasharray={look.dash} />;
    default:
      return shape satisfies never;
  }
}

/** Returns the last value of a series, or the middle of its stacked layer. */
function lastHeight(rows: readonly DrawnRow[], key: string): number | null {
  for (let index = rows.length - 1; index >= 0; index--) {
    const value = getOwn(rows[index]?.values, key) ?? null;
    if (value === null) continue;
    return typeof value === 'number' ? value : (value[0] + value[1]) / 2;
  }
  return null;
}
