import { afterEach, describe, expect, it, vi } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import type { Connection } from './connection.ts';
import { savePdf, type PdfStage } from './ReportMenu.tsx';

interface Shell {
  readonly printed: string[];
  readonly stages: PdfStage[];
  readonly save: (signal?: AbortSignal) => Promise<unknown>;
}

/** Creates a simulated desktop window. `refusal` is the error of the backend, or null if printing is allowed. */
function desktop(refusal: HoldfastError | null): Shell {
  const printedTexts: string[] = [];
  const stages: PdfStage[] = [];
  vi.stubGlobal('window', {
    holdfast: { verbs: { savePdf: ({ html }: { html: string }) => Promise.resolve({ done: printedTexts.push(html) > 0 }) } },
  });
  const call = (name: string): Promise<unknown> => {
    if (name === 'reports.mayPrint') return refusal === null ? Promise.resolve({}) : Promise.reject(refusal);
    return Promise.resolve({ fileName: 'report.html', mediaType: 'text/html', content: '<h1>Report</h1>' });
  };
  const connection: Connection = {
    state: 'open',
    subscribe: () => () => {},
    call: call as Connection['call'],
    open: () => () => {},
    retryNow() {},
    close() {},
  };
  const onStage = (stage: PdfStage): void => void stages.push(stage);
  const source = { runId: 'run' };
  return {
    printed: printedTexts,
    stages,
    save: (signal = new AbortController().signal) => savePdf({ connection, source, paper: 'A4', onePage: false, onStage, signal }),
  };
}

describe('a PDF in the desktop app', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is passed to the shell', async () => {
    const { save, stages, printed } = desktop(null);
    expect(await save()).toEqual({ outcome: 'saved', fileName: 'report.pdf' });
    expect(printed).toEqual(['<h1>Report</h1>']);
    expect(stages).toEqual(['drawing', 'handedOver']);
  });

  it('is not passed to the shell after it was cancelled', async () => {
    const { save, printed } = desktop(null);
    const calledOff = new AbortController();
    calledOff.abort();
    expect(await save(calledOff.signal)).toMatchObject({ outcome: 'declined' });
    expect(printed).toEqual([]);
  });

  it('is not printed while a load runs', async () => {
    const { save, printed, stages } = desktop(new HoldfastError({ code: 'PDF_WAITS', message: 'A load is going.', hint: 'Wait.' }));
    await expect(save()).rejects.toMatchObject({ code: 'PDF_WAITS' });
    expect(printed).toEqual([]);
    expect(stages).toEqual([]);
  });
});
