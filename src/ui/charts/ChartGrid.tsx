import type { ReactNode } from 'react';
import styles from './ChartGrid.module.css';

/** Places charts next to each other where they fit, otherwise below each other. */
export function ChartGrid({ children }: { readonly children: ReactNode }) {
  return <div className={styles.charts}>{children}</div>;
}
