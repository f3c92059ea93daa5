import { Layers } from 'lucide-react';
import { SEARCH_PREFIX } from '#core/search/result.ts';
import type { RunHead } from '#core/result/schema.ts';
import { words } from '../words/words.ts';
import styles from './SeriesLink.module.css';

/** Returns the address of a series or search and the texts of its links. */
export function groupLink({ id }: { readonly id: string }) {
  const isSearch = id.startsWith(SEARCH_PREFIX);
  const { inHistory, partOf } = isSearch ? words.searches : words.series;
  return { to: `#/${isSearch ? 'searches' : 'series'}/${id}`, inHistory, partOf };
}

/** Link from a run to its series or search. Renders nothing for a single run. */
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
