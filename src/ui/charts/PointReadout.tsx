import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import type { ChartSeries } from '#core/presentation/charts/types.ts';
import { Swatch } from './Legend.tsx';
import styles from './PointReadout.module.css';

interface PointReadoutProps {
  readonly title: string;
  readonly lines: readonly {
    readonly name: string;
    readonly look: SeriesLook;
    readonly shape?: ChartSeries['shape'];
    readonly text: string;
  }[];
  /** Text that is shown instead of an empty table. */
  readonly empty?: string;
}

/** Shows the value of each line at the crosshair. */
export function PointReadout({ title, lines, empty = '' }: PointReadoutProps) {
  return (
    <div className={styles.readout}>
      <p className={styles.title}>{title}</p>
      {lines.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <table>
          <tbody>
            {lines.map(({ name, look, shape = 'line', text }) => (
              <tr key={name}>
                <td>
                  <svg width={18} height={12}>
                    <Swatch look={look} shape={shape} id={`readout-${name.replaceAll(/\W/g, '_')}`} />
                  </svg>
                </td>
                <td>{name}</td>
                <td className={styles.value}>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
