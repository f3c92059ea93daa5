import { useState } from 'react';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import { AXIS_HEIGHT } from '#core/presentation/charts/geometry.ts';
import { linearAxis } from '#core/presentation/charts/valueAxis.ts';
import type { Unit } from '#core/presentation/charts/types.ts';
import { formatTick, formatValue } from '#core/presentation/charts/units.ts';
import { words } from '../words/words.ts';
import { useWidth } from './useWidth.ts';
import styles from './LevelChart.module.css';

/** A value and the ends of what it is the middle of. */
interface LevelValue {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export interface LevelLine {
  readonly name: string;
  readonly look: SeriesLook;
  /** One for each category; null where nothing was measured, which is a gap. */
  readonly values: readonly (LevelValue | null)[];
}

interface LevelChartProps {
  readonly title: string;
  /** What the values are, beside the title; left out, the unit says it. */
  readonly about?: string;
  readonly unit: Unit;
  /** Marks of the horizontal axis, evenly spaced. */
  readonly categories: readonly string[];
  /** What the categories are. */
  readonly axisName: string;
  readonly lines: readonly LevelLine[];
}

const HEIGHT = 220;
const LEFT = 58;
const RIGHT = 18;
const TOP = 10;
const TICKS = 5;
/** Of the label of a category: its letters, and what keeps it apart from the next. */
const CHARACTER = 6.6;
const CATEGORY_GAP = 14;

/** Values over levels, a line for each thing compared; bars reach from the least to the most of its repeats. The table beside it has the figures. */
export function LevelChart({ title, about, unit, categories, axisName, lines }: LevelChartProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const width = useWidth(box);
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.flatMap((value) => value?.most ?? [])));
  const axis = linearAxis(highest, TICKS, unit === 'count');
  const bottom = HEIGHT - AXIS_HEIGHT - 16;
  const right = Math.max(LEFT + 20, width - RIGHT);
  const inset = categories.length === 1 ? (right - LEFT) / 2 : Math.min(24, (right - LEFT) / 8);
  const x = (index: number): number => LEFT + inset + (index * (right - LEFT - 2 * inset)) / Math.max(1, categories.length - 1);
  const y = (value: number): number => bottom - (value / axis.to) * (bottom - TOP);
  const labelWidth = Math.max(0, ...categories.map(({ length }) => length)) * CHARACTER + CATEGORY_GAP;
  const every = Math.ceil((Math.max(0, categories.length - 1) * labelWidth) / Math.max(1, right - LEFT - 2 * inset)) || 1;
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.title}>
        {title} <span className={styles.about}>{about ?? words.charts.units[unit]}</span>
      </figcaption>
      <p className={styles.hidden}>{lines.map((line) => summaryOf(line, categories, unit)).join(' ')}</p>
      <div ref={setBox} className={styles.box}>
        {width > 0 ? (
          <svg width={width} height={HEIGHT} aria-hidden="true" className={styles.picture}>
            {axis.ticks.map((tick) => (
              <g key={tick}>
                <path d={`M${LEFT} ${y(tick)}H${right}`} stroke="var(--chart-grid)" />
                <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
                  {formatTick(tick, unit)}
                </text>
              </g>
            ))}
            {categories.map((category, index) =>
              index % every === 0 ? (
                <text key={category} x={x(index)} y={bottom + 16} textAnchor="middle">
                  {category}
                </text>
              ) : null,
            )}
            <text x={(LEFT + right) / 2} y={HEIGHT - 4} textAnchor="middle">
              {axisName}
            </text>
            {lines.map((line, index) => (
              <LineShape key={line.name} line={line} x={(place) => x(place) + 3 * (index - (lines.length - 1) / 2)} y={y} />
            ))}
          </svg>
        ) : null}
      </div>
    </figure>
  );
}

/** Moved sideways by a few pixels by the caller, so that bars of several lines do not hide each other. */
function LineShape({
  line,
  x,
  y,
}: {
  readonly line: LevelLine;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}) {
  const { color, dash } = line.look;
  const parts: string[] = [];
  for (const [index, value] of line.values.entries()) {
    if (value === null) continue;
    const isJoined = index > 0 && line.values[index - 1] !== null;
    parts.push(`${isJoined ? 'L' : 'M'}${x(index)} ${y(value.median)}`);
  }
  return (
    <g stroke={color} fill="none">
      <path d={parts.join('')} strokeWidth={2} strokeDasharray={dash} />
      {line.values.map((value, index) =>
        value === null ? null : (
          // oxlint-disable-next-line react/no-array-index-key -- [a place on the axis is what its index is]
          <g key={index}>
            {value.least < value.most ? <path d={`M${x(index)} ${y(value.least)}V${y(value.most)}`} strokeWidth={1.5} /> : null}
            <circle cx={x(index)} cy={y(value.median)} r={3.5} fill={color} stroke="none" />
          </g>
        ),
      )}
    </g>
  );
}

function summaryOf({ name, values }: LevelLine, categories: readonly string[], unit: Unit): string {
  const said = values.map(
    (value, index) => `${categories[index]}: ${value === null ? words.charts.noData : formatValue(value.median, unit)}`,
  );
  return `${name}: ${said.join(', ')}.`;
}
