import type { CallInput, CallOutput } from '#contract/api.ts';
import { seriesReport } from '#core/presentation/document/seriesReport.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import type { Paper } from '#core/presentation/html/style.ts';
import { formatSeriesJunit } from '#core/presentation/formats/junitFormat.ts';
import { renderMarkdown } from '#core/presentation/formats/markdown.ts';
import { formatSeriesCsv } from '#core/series/format.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { exportName } from '#core/base/fileNames.ts';

type Format = CallInput<'series.export'>['format'];

/** A series as a file that can be saved under `fileName`. */
export function exportSeries(result: SeriesResult, format: Format, paper: Paper | undefined): CallOutput<'series.export'> {
  const base = exportName(result.series);
  switch (format) {
    case 'json':
      return { fileName: `${base}.json`, mediaType: 'application/json', content: `${JSON.stringify(result, null, 2)}\n` };
    case 'csv':
      return { fileName: `${base}.csv`, mediaType: 'text/csv', content: formatSeriesCsv(result) };
    case 'html':
      return { fileName: `${base}.html`, mediaType: 'text/html', content: renderHtml(seriesReport(result), paper) };
    case 'markdown':
      return { fileName: `${base}.md`, mediaType: 'text/markdown', content: renderMarkdown(seriesReport(result)) };
    case 'junit':
      return { fileName: `${base}-junit.xml`, mediaType: 'application/xml', content: formatSeriesJunit(result) };
    default:
      return format satisfies never;
  }
}
