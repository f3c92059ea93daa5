import type { CallHandlers, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { Log } from '#backend/log.ts';
import { findBrowser } from '#backend/browser/findBrowser.ts';
import { printPdf } from '#backend/reports/printPdf.ts';
import type { QuestionInput, QuestionOutput } from '#backend/results/questions.ts';
import type { LoadLock } from '../loadLock.ts';

interface ReportParts {
  readonly log: Log;
  /** Returns a report. Throws `NO_SUCH_RUN`, `NO_SUCH_SERIES` or `NO_SUCH_SEARCH`. */
  readonly report: (input: QuestionInput<'own.report'>) => Promise<QuestionOutput<'own.report'>>;
  /** Prevents printing during a load, because the browser takes processor time from the load. */
  readonly lock: LoadLock;
}

export interface ReportService {
  readonly calls: Pick<CallHandlers, 'reports.mayPrint'>;
  readonly streams: Pick<StreamHandlers, 'reports.pdf'>;
}

/** Creates the service that makes PDFs and reports the stages of this slow work. */
export function createReportService(parts: ReportParts): ReportService {
  return {
    calls: { 'reports.mayPrint': () => mayPrint(parts) },
    streams: {
      'reports.pdf': ({ of, paper, onePage }, sink) => {
        const leaving = new AbortController();
        const work = async (): Promise<void> => {
          mayPrint(parts);
          const browser = findBrowser('print');
          sink.item({ stage: 'reading', file: null });
          const { html, name } = await parts.report({ of, paper, onePage });
          if (leaving.signal.aborted) return;
          // A load may have begun while the report was built.
          mayPrint(parts);
          sink.item({ stage: 'printing', file: null });
          const pdf = await printPdf(html, browser, { signal: leaving.signal, onePage });
          sink.item({ stage: 'done', file: { fileName: `${name}.pdf`, mediaType: 'application/pdf', base64: pdf.toString('base64') } });
          sink.end();
        };
        work().catch((thrown: unknown) => {
          if (!leaving.signal.aborted) parts.log.failure('a PDF was not made', thrown);
          sink.end(toProblem(thrown));
        });
        return () => leaving.abort();
      },
    },
  };
}

/** Throws `PDF_WAITS` during a load. */
function mayPrint({ lock }: ReportParts): void {
  try {
    lock.claim('print');
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'PDF_WAITS',
        message: 'A load is running. Printing a PDF would take processor time from it and spoil its figures.',
        hint: 'Wait until it ends, then make the PDF. The HTML report is available now.',
      },
      { cause },
    );
  }
}
