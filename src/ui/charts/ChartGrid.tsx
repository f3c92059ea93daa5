import type { ReactNode } from 'react';
import styles from './ChartGrid.module.css';

/** Places charts beside each other where they fit, else below each other. */
export function ChartGrid({ children }: { readonly children: ReactNode }) {
  return <div className={styles.charts}>{children}</div>;
}
