import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installedBrowser } from '#tools/check/browser.ts';
import { runReport } from '#core/presentation/document/runReport.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { poppler } from '../testing/poppler.ts';
import { printPdf } from './printPdf.ts';

describe('a report on paper', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'holdfast-print-'));
    // Profiles lie in here alone: others may print at the same time.
    vi.stubEnv('TMPDIR', directory);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(directory, { recursive: true, maxRetries: 5 });
  });
  const profiles = async (): Promise<string[]> => (await readdir(directory)).filter((name) => name.startsWith('holdfast-pdf-'));

  it('is tagged, of the size that was asked for, has an outline, page numbers and text that can be copied', async () => {
    // Where none is installed, the one that Playwright has brought.
    const program = installedBrowser() ?? (await import('@playwright/test')).chromium.executablePath();
    const pdf = await printPdf(renderHtml(runReport(sampleResult()), 'Letter'), program);
    const file = join(directory, 'report.pdf');
    await writeFile(file, pdf);
    const facts = await poppler('pdfinfo', [file]);
    expect(facts).toMatch(/^Title: +Will our contest site hold\?$/m);
    expect(facts).toMatch(/^Creator: +Holdfast$/m);
    expect(facts).toMatch(/^Tagged: +yes$/m);
    expect(facts).toMatch(/^Page size: +612 x 792 pts \(letter\)$/m);
    expect(facts).toMatch(/^JavaScript: +no$/m);
    const text = await poppler('pdftotext', ['-layout', file, '-']);
    expect(text).toMatch(/Passed at 50 connections\s+201 successful responses a second/);
    expect(text).toMatch(/run 20260312-140507-abcd +1 *\/ *\d+/);
    expect(pdf.toString('latin1')).toMatch(/\/Outlines/);
  });

  it('says which browser failed, and leaves nothing behind', async () => {
    await expect(printPdf('<p></p>', '/bin/false')).rejects.toMatchObject({
      code: 'PDF_FAILED',
      message: expect.stringContaining('/bin/false'),
      hint: expect.stringContaining('as HTML'),
    });
    expect(await profiles()).toEqual([]);
  });

  it('is not made when nobody wants it any more', async () => {
    const calledOff = new AbortController();
    calledOff.abort();
    await expect(printPdf('<p></p>', '/bin/cat', calledOff.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await profiles()).toEqual([]);
  });
});
