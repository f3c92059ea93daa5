import { Layers } from 'lucide-react';
import type { RunHead } from '#core/report/result.ts';
import { words } from '../words/words.ts';
import styles from './SeriesLink.module.css';

/** Leads from a run to the series whose cell it is; nothing for a run of its own. */
export function SeriesLink({ series }: { readonly series: RunHead['series'] }) {
  if (series === undefined) return null;
  return (
    <p className={styles.link}>
      <Layers size={16} aria-hidden="true" />
      <a href={`#/series/${series.id}`}>{words.series.partOf(series.name, series.cell)}</a>
    </p>
  );
}
