import type { CallInput, CallOutput } from '#contract/api.ts';
import { studyReport } from '#core/presentation/document/studyReport.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import type { Paper } from '#core/presentation/html/style.ts';
import { renderMarkdown } from '#core/presentation/formats/markdown.ts';
import type { StudyResult } from '#core/search/result.ts';
import { exportName } from '#core/base/fileNames.ts';

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
