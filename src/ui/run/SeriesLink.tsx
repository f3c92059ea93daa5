import { Layers } from 'lucide-react';
import { SEARCH_PREFIX } from '#core/search/result.ts';
import type { RunHead } from '#core/result/schema.ts';
import { words } from '../words/words.ts';
import styles from './SeriesLink.module.css';

/** Where the series or the search is found that runs are part of, and how it is called in a list and on the page of one of them. */
export function groupLink({ id }: { readonly id: string }) {
  const isSearch = id.startsWith(SEARCH_PREFIX);
  const { inHistory, partOf } = isSearch ? words.searches : words.series;
  return { to: `#/${isSearch ? 'searches' : 'series'}/${id}`, inHistory, partOf };
}

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
