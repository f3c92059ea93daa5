import { buildSeriesResult } from '#core/series/buildSeriesResult.ts';
import type { SeriesResult } from '#core/series/result.ts';
import type { StudyDocument, StudyResult } from '#core/search/result.ts';
import { buildStudyResult } from '#core/search/study.ts';
import type { RunGroupRecord } from './runGroupTable.ts';
import type { Store } from './store.ts';

/** A series as it is now. Throws `NO_SUCH_SERIES`. */
export function seriesResultOf(store: Store, seriesId: string): SeriesResult {
  const { key, head, document } = store.series.find(seriesId);
  return buildSeriesResult(head, document, store.series.runs(key));
}

/** A study as it is now. Throws `NO_SUCH_STUDY`. */
export function studyResultOf(store: Store, studyId: string): StudyResult {
  return studyResultFrom(store, store.studies.find(studyId));
}

export function studyResultFrom(store: Store, { key, head, document }: RunGroupRecord<StudyDocument>): StudyResult {
  return buildStudyResult({ ...head, kind: document.kind }, document, store.studies.runs(key));
}
