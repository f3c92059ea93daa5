import { deflateSync } from '#threads/zlib.ts';
import { formatAb, formatJmeter, type HlogLine, createHlog } from '#core/presentation/formats/otherTools.ts';
import type { RunResult } from '#core/result/schema.ts';
import { buildCompressedHead } from '#core/statistics/hdrEncoding.ts';
import type { Window } from '#core/measurement/window.ts';
import type { CallInput, CallOutput } from '#contract/api.ts';
import { formatCsv, formatCycles, formatStepsCsv } from '#core/presentation/formats/csvFormat.ts';
import type { Report } from '#core/presentation/document/model.ts';
import { shortenToOnePage, runReport } from '#core/presentation/document/runReport.ts';
import type { Spread } from '#core/presentation/document/spread.ts';
import { exportName } from '#core/base/text.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import type { Paper } from '#core/presentation/html/style.ts';
import { formatPeopleCsv } from '#core/presentation/formats/peopleCsv.ts';
import { formatJunit } from '#core/presentation/formats/junitFormat.ts';
import { renderMarkdown } from '#core/presentation/formats/markdown.ts';
import { formatSummary, formatText } from '#core/presentation/text/textReport.ts';
import { yieldInTurns } from './baselineReaders.ts';

/**
 * Returns the HDR histogram log of a run. An hour has thousands of histograms, which take seconds to read, so other tasks run between
 * slices. Histograms are compressed in this thread, because that takes 0.1 ms each, less than passing them to another thread.
 */
export async function writeHlog(
  result: Pick<RunResult, 'run' | 'plan' | 'durationSeconds'>,
  slices: Iterable<readonly Window[]>,
): Promise<string> {
  const log = createHlog(result);
  const texts = [log.head];
  for await (const slice of yieldInTurns(slices)) texts.push(...slice.flatMap((window) => log.add(window)).map(hlogText));
  texts.push(...log.end().map(hlogText));
  return texts.join('');
}

function hlogText({ before, histogram }: HlogLine): string {
  const compressed = deflateSync(histogram);
  return `${before}${Buffer.concat([buildCompressedHead(compressed.length), compressed]).toString('base64')}\n`;
}

type Format = CallInput<'runs.export'>['format'];

/** Layout of a report. Without `paper`, the printer determines the paper size. */
export interface Layout {
  readonly paper?: Paper | undefined;
  readonly onePage?: boolean | undefined;
}

export function layOut(report: Report, { onePage: isOnePage = false }: Layout): Report {
  return isOnePage ? shortenToOnePage(report) : report;
}

interface ExportOptions {
  readonly layout: Layout;
  /** Width of the terminal; undefined if there is none. */
  readonly columns: number | undefined;
  /** Returns the windows of the run in order of time, in slices of some seconds. */
  readonly slices: () => Iterable<readonly Window[]>;
  readonly seal: (result: RunResult) => string;
  /** Returns the distribution of the run's times. */
  readonly spread: () => Promise<Spread>;
}

/** Returns the result as a file to save under `fileName`. */
export async function exportRun(
  result: RunResult,
  format: Format,
  { layout, columns, slices, spread, seal }: ExportOptions,
): Promise<CallOutput<'runs.export'>> {
  const file = (ending: string, mediaType: string, content: string): CallOutput<'runs.export'> => ({
    fileName: `${exportName(result.run)}${ending}`,
    mediaType,
    content,
  });
  switch (format) {
    case 'json':
      return file('.json', 'application/json', `${JSON.stringify(result, null, 2)}\n`);
    case 'csv':
      return file('.csv', 'text/csv', formatCsv(result));
    case 'steps':
      return file('-steps.csv', 'text/csv', formatStepsCsv(result));
    case 'people':
      return file('-people.csv', 'text/csv', formatPeopleCsv(result));
    case 'ab':
      return file('-ab.txt', 'text/plain', formatAb(result));
    case 'jmeter':
      return file('-jmeter.txt', 'text/plain', formatJmeter(result));
    case 'cycles':
      return file('-cycles.txt', 'text/plain', formatCycles(result));
    case 'text':
      return file('.txt', 'text/plain', formatText(result, columns));
    case 'summary':
      return file('.txt', 'text/plain', formatSummary(result, columns));
    case 'html':
      return file('.html', 'text/html', renderHtml(layOut(runReport(result, await spread()), layout), layout.paper));
    case 'markdown':
      return file('.md', 'text/markdown', renderMarkdown(layOut(runReport(result, await spread()), layout)));
    case 'junit':
      return file('-junit.xml', 'application/xml', formatJunit(result));
    case 'hlog':
      return file('.hlog', 'text/plain', await writeHlog(result, slices()));
    case 'sealed':
      return file('-sealed.html', 'text/html', seal(result));
    default:
      return format satisfies never;
  }
}
