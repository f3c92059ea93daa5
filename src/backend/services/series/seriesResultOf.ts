import { buildSeriesResult } from '#core/series/buildSeriesResult.ts';
import type { SeriesResult } from '#core/series/result.ts';
import type { Store } from '#backend/store/store.ts';

/** A series as it is now. Throws `NO_SUCH_SERIES`. */
export function seriesResultOf(store: Store, seriesId: string): SeriesResult {
  const { key, head, document } = store.series.find(seriesId);
  return buildSeriesResult(head, document, store.series.runs(key));
}
