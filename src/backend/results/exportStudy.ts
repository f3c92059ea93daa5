import type { CallInput, CallOutput } from '#contract/api.ts';
import { studyReport } from '#core/report/document/studyReport.ts';
import { renderHtml } from '#core/report/html/renderHtml.ts';
import type { Paper } from '#core/report/html/style.ts';
import { renderMarkdown } from '#core/report/markdown.ts';
import type { StudyResult } from '#core/study/result.ts';
import { exportName } from '#core/report/fileNames.ts';

/** A search as a file that can be saved under `fileName`. */
export function exportStudy(
  result: StudyResult,
  format: CallInput<'studies.export'>['format'],
  paper: Paper | undefined,
): CallOutput<'studies.export'> {
  const base = exportName(result.study);
  switch (format) {
    case 'json':
      return { fileName: `${base}.json`, mediaType: 'application/json', content: `${JSON.stringify(result, null, 2)}\n` };
    case 'html':
      return { fileName: `${base}.html`, mediaType: 'text/html', content: renderHtml(studyReport(result), paper) };
    case 'markdown':
      return { fileName: `${base}.md`, mediaType: 'text/markdown', content: renderMarkdown(studyReport(result)) };
    default:
      return format satisfies never;
  }
}
