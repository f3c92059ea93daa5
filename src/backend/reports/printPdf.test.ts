import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installedBrowser } from '#tools/check/browser.ts';
import { shortenToOnePage, runReport } from '#core/presentation/document/runReport.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { poppler } from '../testing/poppler.ts';
import { printPdf } from './printPdf.ts';

describe('printPdf', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'print-'));
    // Browser profiles go to a folder of this test only, because other tests may print at the same time.
    vi.stubEnv('TMPDIR', directory);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(directory, { recursive: true, maxRetries: 5 });
  });
  const listProfiles = async (): Promise<string[]> => (await readdir(directory)).filter((name) => name.startsWith('holdfast-'));

  it('makes a tagged PDF of the requested size with outline, page numbers and selectable text', async () => {
    // Uses the browser of Playwright if none is installed.
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

  it('prints the summary of a run on exactly one page, whatever its length', async () => {
    const program = installedBrowser() ?? (await import('@playwright/test')).chromium.executablePath();
    const usual = sampleResult();
    const longSentences = (count: number, words: string) => Array.from({ length: count }, (_, index) => `${words} ${index} `.repeat(30));
    const { verdict, plan } = usual;
    const wordy = {
      ...usual,
      plan: { ...plan, story: longSentences(1, 'story').join('') },
      verdict: {
        ...verdict,
        reasons: longSentences(9, 'reason').map((text, index) => ({ ...verdict.reasons[0], code: `r${index}`, text })),
        exercised: longSentences(9, 'covered'),
        notExercised: longSentences(9, 'open'),
      },
    };
    for (const result of [usual, wordy]) {
      const pdf = await printPdf(renderHtml(shortenToOnePage(runReport(result)), 'A4'), program, { onePage: true });
      const file = join(directory, 'one.pdf');
      await writeFile(file, pdf);
      expect(await poppler('pdfinfo', [file])).toMatch(/^Pages: +1$/m);
      const text = await poppler('pdftotext', ['-layout', file, '-']);
      expect(text).toMatch(/Passed at 50 connections/);
      expect(text).toMatch(/Throughput +per second|Latency +(response|service) time/);
      expect(text).not.toContain('Apdex');
    }
  });

  it('names the browser that failed in its error, and leaves no files behind', async () => {
    await expect(printPdf('<p></p>', '/bin/false')).rejects.toMatchObject({
      code: 'PDF_FAILED',
      message: expect.stringContaining('/bin/false'),
      hint: expect.stringContaining('as HTML'),
    });
    expect(await listProfiles()).toEqual([]);
  });

  it('prints nothing once it is cancelled', async () => {
    const calledOff = new AbortController();
    calledOff.abort();
    await expect(printPdf('<p></p>', '/bin/cat', { signal: calledOff.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await listProfiles()).toEqual([]);
  });
});
