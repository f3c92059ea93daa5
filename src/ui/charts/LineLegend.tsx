import { type LevelLine, listOutcomes } from '#core/presentation/charts/levels.ts';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import { chartNames } from '#core/presentation/charts/names.ts';
import { LevelPoint } from './LevelChart.tsx';
import styles from './LineLegend.module.css';

interface LineLegendProps {
  readonly lines: readonly { readonly name: string; readonly look: SeriesLook }[];
}

/** Legend of the lines in the charts below. */
export function LineLegend({ lines }: LineLegendProps) {
  return (
    <ul className={styles.legend}>
      {lines.map(({ name, look }) => (
        <li key={name}>
          <LineSwatch look={look} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function LineSwatch({ look }: { readonly look: SeriesLook }) {
  return (
    <svg width={28} height={12} aria-hidden="true">
      <path d="M1 6h26" stroke={look.color} strokeWidth={2.5} strokeDasharray={look.dash} />
    </svg>
  );
}

/** Legend of charts over levels: names of several lines, and the meaning of marked points. Renders nothing if neither exists. */
export function LevelLegend({ lines }: { readonly lines: readonly LevelLine[] }) {
  const named = lines.length < 2 ? [] : lines;
  const outcomes = listOutcomes(lines);
  if (named.length === 0 && outcomes.length === 0) return null;
  return (
    <ul className={styles.legend}>
      {named.map(({ name, look }) => (
        <li key={name}>
          <LineSwatch look={look} />
          {name}
        </li>
      ))}
      {outcomes.map((outcome) => (
        <li key={outcome}>
          <svg width={16} height={14} aria-hidden="true" fill="none">
            <LevelPoint x={8} y={7} outcome={outcome} color="" />
          </svg>
          {chartNames.levels.outcomes[outcome]}
        </li>
      ))}
    </ul>
  );
}
