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
  /** Returns the histograms of the run in order of time, in slices of some seconds. */
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
  const base = exportName(result.run);
  switch (format) {
    case 'json':
      return { fileName: `${base}.json`, mediaType: 'application/json', content: `${JSON.stringify(result, null, 2)}\n` };
    case 'csv':
      return { fileName: `${base}.csv`, mediaType: 'text/csv', content: formatCsv(result) };
    case 'steps':
      return { fileName: `${base}-steps.csv`, mediaType: 'text/csv', content: formatStepsCsv(result) };
    case 'people':
      return { fileName: `${base}-people.csv`, mediaType: 'text/csv', content: formatPeopleCsv(result) };
    case 'ab':
      return { fileName: `${base}-ab.txt`, mediaType: 'text/plain', content: formatAb(result) };
    case 'jmeter':
      return { fileName: `${base}-jmeter.txt`, mediaType: 'text/plain', content: formatJmeter(result) };
    case 'cycles':
      return { fileName: `${base}-cycles.txt`, mediaType: 'text/plain', content: formatCycles(result) };
    case 'text':
      return { fileName: `${base}.txt`, mediaType: 'text/plain', content: formatText(result, columns) };
    case 'summary':
      return { fileName: `${base}.txt`, mediaType: 'text/plain', content: formatSummary(result, columns) };
    case 'html':
      return {
        fileName: `${base}.html`,
        mediaType: 'text/html',
        content: renderHtml(layOut(runReport(result, await spread()), layout), layout.paper),
      };
    case 'markdown':
      return {
        fileName: `${base}.md`,
        mediaType: 'text/markdown',
        content: renderMarkdown(layOut(runReport(result, await spread()), layout)),
      };
    case 'junit':
      return { fileName: `${base}-junit.xml`, mediaType: 'application/xml', content: formatJunit(result) };
    case 'hlog':
      return { fileName: `${base}.hlog`, mediaType: 'text/plain', content: await writeHlog(result, slices()) };
    case 'sealed':
      return { fileName: `${base}-sealed.html`, mediaType: 'text/html', content: seal(result) };
    default:
      return format satisfies never;
  }
}
