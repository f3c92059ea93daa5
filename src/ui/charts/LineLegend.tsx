import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import styles from './LineLegend.module.css';

interface LineLegendProps {
  readonly lines: readonly { readonly name: string; readonly look: SeriesLook }[];
}

/** Which line of the charts below is which. */
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
