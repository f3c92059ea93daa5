import { buildSeriesResult } from '#core/series/buildSeriesResult.ts';
import type { SeriesResult } from '#core/series/result.ts';
import type { SearchDocument, SearchResult } from '#core/search/result.ts';
import { buildSearchResult } from '#core/search/search.ts';
import type { RunGroupRecord } from './runGroupTable.ts';
import type { Store } from './store.ts';

/** Returns the current result of a series. Throws `NO_SUCH_SERIES`. */
export function getSeriesResult(store: Store, seriesId: string): SeriesResult {
  const { key, head, document } = store.series.find(seriesId);
  return buildSeriesResult(head, document, store.series.runs(key));
}

/** Returns the current result of a search. Throws `NO_SUCH_SEARCH`. */
export function getSearchResult(store: Store, searchId: string): SearchResult {
  return searchResultFrom(store, store.searches.find(searchId));
}

export function searchResultFrom(store: Store, { key, head, document }: RunGroupRecord<SearchDocument>): SearchResult {
  return buildSearchResult({ ...head, kind: document.kind }, document, store.searches.runs(key));
}
