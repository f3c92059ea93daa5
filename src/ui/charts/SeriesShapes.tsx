import type { ChartBand, ChartSeries } from '#core/presentation/charts/types.ts';
import type { DrawnRow } from '#core/presentation/charts/drawnRows.ts';
import { type Plot, xOf, yOf } from '#core/presentation/charts/geometry.ts';
import { bandPath, dotsPath, fewPath, linePath, type Piece, type PlotPoint, stepAreaPath } from '#core/presentation/charts/paths.ts';
import type { Axis } from '#core/presentation/charts/valueAxis.ts';
import { getOwn } from '#core/base/ownMembers.ts';

const ANGLES = [45, 135, 0, 90, 20, 160];

/** Patterns of the hatched areas. Their angles differ, so that areas are distinguishable without colour. */
export function HatchPatterns({ id, series }: { readonly id: string; readonly series: readonly ChartSeries[] }) {
  return (
    <defs>
      {series
        .filter(({ look }) => look.hatched)
        .map((one, index) => (
          <pattern
            key={one.id}
            id={patternId(id, one)}
            width={6}
            height={6}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${ANGLES[index % ANGLES.length]})`}
          >
            <rect width={6} height={6} fill={one.look.color} fillOpacity={0.35} />
            <path d="M0 3H6" stroke={one.look.color} strokeWidth={2.5} />
          </pattern>
        ))}
    </defs>
  );
}

/** Returns the fill of an area. `id` is that of the chart, because pattern ids must be unique on the page. */
export function getPaint(id: string, series: ChartSeries): string {
  return series.look.hatched ? `url(#${patternId(id, series)})` : series.look.color;
}

function patternId(id: string, series: ChartSeries): string {
  return `${id}-${series.id.replaceAll(/[^\w-]/g, '_')}`;
}

interface SeriesShapesProps {
  readonly id: string;
  readonly rows: readonly DrawnRow[];
  readonly series: readonly ChartSeries[];
  readonly bands: readonly ChartBand[];
  readonly axis: Axis;
  readonly logarithmic: boolean;
  readonly plot: Plot;
  /** First and last second of the time axis. */
  readonly from: number;
  readonly to: number;
}

/**
 * Draws one path for each series. One element per point would take most of the time of a live view, on a computer that sends load
 * at the same time.
 */
export function SeriesShapes({ id, rows, series, bands, axis, logarithmic, plot, from, to }: SeriesShapesProps) {
  const x = (second: number): number => xOf(second, from, to, plot);
  const y = (value: number): number => yOf(value, axis, logarithmic, plot);
  const placesOf = (key: string): PlotPoint[] =>
    rows.map(({ x: second, values }) => {
      const value = getOwn(values, key);
      return typeof value === 'number' && !(logarithmic && value <= 0) ? { x: x(second), y: y(value) } : null;
    });
  const listPieces = (key: string): Piece[] =>
    rows.map((row) => {
      const edges = getOwn(row.values, key) ?? null;
      return edges === null || typeof edges === 'number' ? null : { from: x(row.from), to: x(row.to), low: y(edges[0]), high: y(edges[1]) };
    });
  return (
    <g fill="none" strokeLinecap="round" strokeLinejoin="round">
      {bands.map((band) => (
        <path
          key={`${band.from} ${band.to}`}
          d={bandPath(placesOf(band.from), placesOf(band.to))}
          fill={series.find((one) => one.id === band.to)?.look.color}
          fillOpacity={band.opacity}
        />
      ))}
      {series.map((one) => {
        const { color, dash, hatched } = one.look;
        switch (one.shape) {
          case 'stacked':
            return (
              <path
                key={one.id}
                d={stepAreaPath(listPieces(one.id))}
                fill={getPaint(id, one)}
                fillOpacity={hatched ? 1 : 0.75}
                stroke={color}
              />
            );
          case 'dots':
            return <path key={one.id} d={dotsPath(placesOf(one.id))} stroke={color} strokeWidth={one.isLarge === true ? 6 : 3} />;
          case 'line':
            return (
              <g key={one.id} stroke={color}>
                <path d={linePath(placesOf(one.id))} strokeWidth={2} strokeDasharray={dash} strokeLinecap="butt" />
                <path d={fewPath(placesOf(one.id))} strokeWidth={6} />
              </g>
            );
          default:
            return one.shape satisfies never;
        }
      })}
    </g>
  );
}
