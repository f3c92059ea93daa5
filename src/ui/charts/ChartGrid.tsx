import type { ReactNode } from 'react';
import styles from './ChartGrid.module.css';

/** Places charts side by side where there is room, else below each other. */
export function ChartGrid({ children }: { readonly children: ReactNode }) {
  return <div className={styles.charts}>{children}</div>;
}
