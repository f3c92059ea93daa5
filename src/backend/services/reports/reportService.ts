import type { CallHandlers, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError, problemOf } from '#core/errors.ts';
import { runReport } from '#core/report/document/runReport.ts';
import type { Spread } from '#core/report/document/spread.ts';
import { seriesReport } from '#core/report/document/seriesReport.ts';
import type { Report } from '#core/report/document/model.ts';
import { renderHtml } from '#core/report/html/renderHtml.ts';
import type { RunResult } from '#core/report/result.ts';
import { studyReport } from '#core/report/document/studyReport.ts';
import type { StudyResult } from '#core/study/result.ts';
import type { SeriesResult } from '#core/series/result.ts';
import type { Log } from '#backend/log.ts';
import { findBrowser } from '#backend/reports/findBrowser.ts';
import { printPdf } from '#backend/reports/printPdf.ts';
import { exportName } from '../runs/exportRun.ts';

interface ReportParts {
  readonly log: Log;
  /** Throw `NO_SUCH_RUN`, `NO_SUCH_SERIES` or `NO_SUCH_STUDY`. */
  readonly runResult: (runId: string) => RunResult;
  readonly spread: (runId: string) => Promise<Spread>;
  readonly seriesResult: (seriesId: string) => SeriesResult;
  readonly studyResult: (studyId: string) => StudyResult;
  /** Throws when a load goes, which the browser would take processor time from. */
  readonly mayWork: () => void;
}

export interface ReportService {
  readonly calls: Pick<CallHandlers, 'reports.mayPrint'>;
  readonly streams: Pick<StreamHandlers, 'reports.pdf'>;
}

/** Makes the documents that take long enough to be watched: PDFs. */
export function createReportService(parts: ReportParts): ReportService {
  return {
    calls: {
      'reports.mayPrint': () => {
        mayPrint(parts);
        return {};
      },
    },
    streams: {
      'reports.pdf': ({ of, paper }, sink) => {
        const leaving = new AbortController();
        const work = async (): Promise<void> => {
          mayPrint(parts);
          const browser = findBrowser();
          sink.item({ stage: 'reading', file: null });
          await nextTurn();
          const { report, name } = await reportOf(of, parts);
          sink.item({ stage: 'drawing', file: null });
          await nextTurn();
          const html = renderHtml(report, paper);
          if (leaving.signal.aborted) return;
          // A load may have begun while the report was read and drawn.
          mayPrint(parts);
          sink.item({ stage: 'printing', file: null });
          const pdf = await printPdf(html, browser, leaving.signal);
          sink.item({
            stage: 'done',
            file: { fileName: `${name}.pdf`, mediaType: 'application/pdf', base64: pdf.toString('base64') },
          });
          sink.end();
        };
        work().catch((thrown: unknown) => {
          if (!leaving.signal.aborted) parts.log.failure('a PDF was not made', thrown);
          sink.end(problemOf(thrown));
        });
        return () => leaving.abort();
      },
    },
  };
}

/** Throws `PDF_WAITS`. */
function mayPrint({ mayWork }: ReportParts): void {
  try {
    mayWork();
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'PDF_WAITS',
        message: 'A load is going. A browser that prints would take processor time from it and spoil its figures.',
        hint: 'Wait for its end, then make the PDF. The report as HTML is made at once.',
      },
      { cause },
    );
  }
}

type Source = Parameters<StreamHandlers['reports.pdf']>[0]['of'];

async function reportOf(
  of: Source,
  { runResult, seriesResult, studyResult, spread }: ReportParts,
): Promise<{ readonly report: Report; readonly name: string }> {
  if ('seriesId' in of) {
    const result = seriesResult(of.seriesId);
    return { report: seriesReport(result), name: exportName(result.series) };
  }
  if ('studyId' in of) {
    const result = studyResult(of.studyId);
    return { report: studyReport(result), name: exportName(result.study) };
  }
  const result = runResult(of.runId);
  return { report: runReport(result, await spread(of.runId)), name: exportName(result.run) };
}

/** Lets what was told leave before the work that takes the thread. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
