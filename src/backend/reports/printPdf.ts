import type { Browser, BrowserContext } from 'playwright-core';
import { HoldfastError } from '#core/base/errors.ts';
import { openBrowser } from '#backend/browser/openBrowser.ts';

/** The first version of Chromium that prints page margin boxes. Source: chromestatus.com, "CSS page margin boxes". */
const MIN_VERSION = 131;
/** Time limit for printing. A report of a day-long run takes some seconds; a browser that takes longer than this limit hangs. */
const MAX_PRINT_MS = 60_000;

const SWITCHES = [
  // A report needs no network, and the browser must not fetch updates.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  // Sets the creator in the PDF's metadata.
  '--user-agent=Holdfast',
];

/** Scales, tried in order until the document fits one page. Text below the last scale would be illegible. */
const ONE_PAGE_SCALES = [1, 0.9, 0.8, 0.7, 0.6, 0.5];

interface PrintOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the document is scaled down to one page. */
  readonly onePage?: boolean | undefined;
}

/**
 * Prints an HTML document as tagged PDF, with its headings as outline, on the paper size that its style sets. The HTML is passed to the
 * browser over a pipe, never over the disk, and its scripts do not run. Throws `BROWSER_TOO_OLD`, `PDF_FAILED` or `CANCELLED`.
 */
export async function printPdf(html: string, program: string, { signal, onePage = false }: PrintOptions = {}): Promise<Buffer> {
  if (signal?.aborted === true) throw pdfCalledOff();
  const opening = openBrowser({ program, headless: true, verify: true, runsScripts: false, args: SWITCHES });
  try {
    return await Promise.race([
      opening.then(({ context }) => print(context, html, onePage ? ONE_PAGE_SCALES : [1])),
      rejectOnAbort(AbortSignal.timeout(MAX_PRINT_MS), tookTooLong),
      ...(signal === undefined ? [] : [rejectOnAbort(signal, pdfCalledOff)]),
    ]);
  } catch (thrown) {
    throw thrown instanceof HoldfastError && thrown.code !== 'BROWSER_FAILED' ? thrown : printFailed(program, thrown);
  } finally {
    await opening.then(
      (browser) => browser.close(),
      () => {},
    );
  }
}

async function print(context: BrowserContext, html: string, scales: readonly number[]): Promise<Buffer> {
  requireVersion(context.browser());
  const [page = await context.newPage()] = context.pages();
  await page.setContent(html);
  let pdf: Buffer = Buffer.alloc(0);
  for (const scale of scales) {
    pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, tagged: true, outline: true, scale });
    if (pageCount(pdf) === 1) break;
  }
  return pdf;
}

function requireVersion(browser: Browser | null): void {
  const version = browser?.version() ?? '';
  if (Number.parseInt(version, 10) >= MIN_VERSION) return;
  throw new HoldfastError({
    code: 'BROWSER_TOO_OLD',
    message: `The browser of this computer is Chromium ${version}; a report with page numbers needs version ${MIN_VERSION} or newer.`,
    hint: `Update it. ${HTML_HINT}`,
  });
}

/** Returns the number of pages of a PDF from Chromium, which does not compress page objects. */
export function pageCount(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

function rejectOnAbort(signal: AbortSignal, problem: () => HoldfastError): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(problem());
    signal.addEventListener('abort', () => reject(problem()), { once: true });
  });
}

const HTML_HINT = 'Save the report as HTML instead, and print it to a PDF from any browser.';

export function pdfCalledOff(): HoldfastError {
  return new HoldfastError({ code: 'CANCELLED', message: 'The PDF was not made: it was cancelled.', hint: '' });
}

function tookTooLong(): HoldfastError {
  return new HoldfastError({
    code: 'PDF_FAILED',
    message: `The browser did not print the report within ${MAX_PRINT_MS / 1_000} s.`,
    hint: `Probably this computer is busy. Try again later. ${HTML_HINT}`,
  });
}

function printFailed(program: string, thrown: unknown): HoldfastError {
  // Playwright appends the last output of the browser to the reason.
  const cause = thrown instanceof HoldfastError ? thrown.cause : thrown;
  const [reason = '', ...output] = (cause instanceof Error ? cause.message : String(cause)).trim().split('\n');
  return new HoldfastError(
    {
      code: 'PDF_FAILED',
      message: `The browser ${program} could not print the report: ${reason}`,
      hint: [HTML_HINT, ...(output.length === 0 ? [] : [`Its last output:\n${output.slice(-4).join('\n')}`])].join(' '),
    },
    { cause: thrown },
  );
}
