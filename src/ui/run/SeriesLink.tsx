import { Layers } from 'lucide-react';
import type { RunHead } from '#core/result/schema.ts';
import { groupLink } from './groupLink.ts';
import styles from './SeriesLink.module.css';

/** Leads from a run to the series or the search that it is part of; nothing for a run of its own. */
export function SeriesLink({ series }: { readonly series: RunHead['series'] }) {
  if (series === undefined) return null;
  const { to, partOf } = groupLink(series);
  return (
    <p className={styles.link}>
      <Layers size={16} aria-hidden="true" />
      <a href={to}>{partOf(series.name, series.cell)}</a>
    </p>
  );
}
