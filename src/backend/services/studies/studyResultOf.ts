import type { StudyDocument } from '#core/study/document.ts';
import type { StudyResult } from '#core/study/result.ts';
import { buildStudyResult } from '#core/study/study.ts';
import type { RunGroupRecord } from '#backend/store/runGroupTable.ts';
import type { Store } from '#backend/store/store.ts';

/** A study as it is now. Throws `NO_SUCH_STUDY`. */
export function studyResultOf(store: Store, studyId: string): StudyResult {
  return studyResultFrom(store, store.studies.find(studyId));
}

export function studyResultFrom(store: Store, { key, head, document }: RunGroupRecord<StudyDocument>): StudyResult {
  return buildStudyResult({ ...head, kind: document.kind }, document, store.studies.runs(key));
}
