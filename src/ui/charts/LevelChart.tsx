import { useState } from 'react';
import { AXIS_HEIGHT } from '#core/presentation/charts/geometry.ts';
import { levelAxis, type LevelData, type LevelLine, type LevelValue, spacedTicks } from '#core/presentation/charts/levels.ts';
import { chartNames } from '#core/presentation/charts/names.ts';
import { linearAxis } from '#core/presentation/charts/valueAxis.ts';
import type { Unit } from '#core/presentation/charts/types.ts';
import { formatTick, formatValue } from '#core/presentation/charts/units.ts';
import { words } from '../words/words.ts';
import { useWidth } from './useWidth.ts';
import styles from './LevelChart.module.css';

const HEIGHT = 220;
const LEFT = 58;
const RIGHT = 18;
const TOP = 10;
const TICKS = 5;
/** Estimated width of a character in a tick label, and the gap between labels, in pixels. */
const CHARACTER_WIDTH = 6.6;
const TICK_GAP = 14;

/** Line chart of medians over levels; bars show the minimum and maximum of the repeats. */
export function LevelChart({ title, about, unit, categories, numbers, axisName, lines }: LevelData) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const width = useWidth(box);
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.flatMap((value) => value?.most ?? [])));
  const axis = linearAxis(highest, TICKS, unit === 'count');
  const bottom = HEIGHT - AXIS_HEIGHT - 16;
  const right = Math.max(LEFT + 20, width - RIGHT);
  // Numeric levels use the full width of the axis; names keep a margin at both ends.
  const inset = numbers === null ? Math.min(24, (right - LEFT) / 8) : 0;
  const levels = levelAxis({ categories, numbers });
  const length = right - LEFT - 2 * inset;
  const x = (share: number): number => LEFT + inset + share * length;
  const y = (value: number): number => bottom - (value / axis.to) * (bottom - TOP);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.title}>
        {title} <span className={styles.about}>{about === '' ? words.charts.units[unit] : about}</span>
      </figcaption>
      <p className={styles.hidden}>{lines.map((line) => getSummary(line, categories, unit)).join(' ')}</p>
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
            {spacedTicks(levels.ticks, length, CHARACTER_WIDTH, TICK_GAP).map(({ label, share }) => (
              <g key={label}>
                <path d={`M${x(share)} ${bottom}v4`} stroke="var(--chart-axis)" />
                <text x={x(share)} y={bottom + 16} textAnchor="middle">
                  {label}
                </text>
              </g>
            ))}
            <text x={(LEFT + right) / 2} y={HEIGHT - 4} textAnchor="middle">
              {levels.isLogarithmic ? `${axisName}, ${chartNames.logScale}` : axisName}
            </text>
            {lines.map((line, index) => (
              <LineShape key={line.name} line={line} x={(place) => x(levels.shareOf(place)) + 3 * (index - (lines.length - 1) / 2)} y={y} />
            ))}
          </svg>
        ) : null}
      </div>
    </figure>
  );
}

/** The caller shifts `x` by a few pixels for each line, so that bars do not overlap. */
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
            <LevelPoint x={x(index)} y={y(value.median)} outcome={value.outcome} color={color} />
          </g>
        ),
      )}
    </g>
  );
}

interface LevelPointProps {
  readonly x: number;
  readonly y: number;
  readonly outcome: LevelValue['outcome'];
  readonly color: string;
}

/** Marks a failed level with a cross and an inconclusive level with a ring, so that colour is not the only sign. */
export function LevelPoint({ x, y, outcome, color }: LevelPointProps) {
  if (outcome === 'failed')
    return <path d={`M${x - 4.5} ${y - 4.5}l9 9M${x + 4.5} ${y - 4.5}l-9 9`} stroke="var(--text-breaks)" strokeWidth={2.6} />;
  if (outcome === 'inconclusive')
    return <circle cx={x} cy={y} r={4.5} fill="var(--surface-card)" stroke="var(--text-inconclusive)" strokeWidth={2} />;
  return <circle cx={x} cy={y} r={3.5} fill={color} stroke="none" />;
}

function getSummary({ name, values }: LevelLine, categories: readonly string[], unit: Unit): string {
  const stated = values.map(
    (value, index) =>
      `${categories[index]}: ${value === null ? words.charts.noData : formatValue(value.median, unit)}${value?.outcome === undefined ? '' : ` (${chartNames.levels.outcomes[value.outcome]})`}`,
  );
  return `${name}: ${stated.join(', ')}.`;
}
