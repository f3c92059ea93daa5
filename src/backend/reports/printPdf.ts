import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { makeOwnFolder, removeOwnFolder } from '#engine/ownFolder.ts';
import { startDevtools, type Devtools } from './devtools.ts';

/** The first version that prints page margin boxes. Source: chromestatus.com, "CSS page margin boxes". */
const MIN_VERSION = 131;
/** A report about a day takes some seconds. A browser that takes longer than this hangs. */
const MAX_PRINT_MS = 60_000;

const FLAGS = [
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-sync',
  '--disable-component-update',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  '--mute-audio',
  // Becomes the creator in the PDF's metadata.
  '--user-agent=Holdfast',
  // A report needs no network, and the browser cannot fetch updates of its own.
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

/** Scales, tried in order until the document fits one page. Text below the last scale would be illegible. */
const ONE_PAGE_SCALES = [1, 0.9, 0.8, 0.7, 0.6, 0.5];

interface PrintOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the document is scaled down to one page. */
  readonly onePage?: boolean | undefined;
}

const targetSchema = z.object({ targetId: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const versionSchema = z.object({ product: z.string() });
const framesSchema = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) });
const pdfSchema = z.object({ data: z.base64() });

/**
 * Prints an HTML document as PDF: tagged, with its headings as outline, on the paper that its style sets. The HTML reaches the browser over
 * a pipe, never the disk, and its scripts do not run. Throws `BROWSER_TOO_OLD`, `PDF_FAILED` or `CANCELLED`.
 */
export async function printPdf(html: string, program: string, options: PrintOptions = {}): Promise<Buffer> {
  const profile = await makeOwnFolder('pdf');
  try {
    return await printWith(program, [...FLAGS, ...sandboxFlags(), `--user-data-dir=${profile}`], html, options);
  } finally {
    await removeOwnFolder(profile).catch(() => {});
  }
}

/** Chromium does not start its sandbox as root. The document runs no script and reaches no network. */
function sandboxFlags(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

async function printWith(
  program: string,
  flags: readonly string[],
  html: string,
  { signal, onePage = false }: PrintOptions,
): Promise<Buffer> {
  const devtools = startDevtools(program, flags);
  const limit = AbortSignal.timeout(MAX_PRINT_MS);
  try {
    return await Promise.race([
      print(devtools, html, onePage ? ONE_PAGE_SCALES : [1]),
      ended(limit, tookTooLong),
      ...(signal === undefined ? [] : [ended(signal, pdfCalledOff)]),
    ]);
  } catch (thrown) {
    throw thrown instanceof HoldfastError ? thrown : failed(program, thrown, devtools.lastWords);
  } finally {
    await devtools.close();
  }
}

async function print(devtools: Devtools, html: string, scales: readonly number[]): Promise<Buffer> {
  const { product } = versionSchema.parse(await devtools.call('Browser.getVersion'));
  const version = Number(/\/(\d+)\./.exec(product)?.[1] ?? Number.NaN);
  if (version < MIN_VERSION) throw tooOld(product);
  const { targetId } = targetSchema.parse(await devtools.call('Target.createTarget', { url: 'about:blank' }));
  const { sessionId } = sessionSchema.parse(await devtools.call('Target.attachToTarget', { targetId, flatten: true }));
  const ask = (method: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
    devtools.call(method, parameters, sessionId);
  await ask('Emulation.setScriptExecutionDisabled', { value: true });
  const { frameTree } = framesSchema.parse(await ask('Page.getFrameTree'));
  await ask('Page.setDocumentContent', { frameId: frameTree.frame.id, html });
  let pdf = Buffer.alloc(0);
  for (const scale of scales) {
    const printed = await ask('Page.printToPDF', {
      preferCSSPageSize: true,
      printBackground: true,
      generateTaggedPDF: true,
      generateDocumentOutline: true,
      scale,
    });
    pdf = Buffer.from(pdfSchema.parse(printed).data, 'base64');
    if (pageCount(pdf) === 1) break;
  }
  return pdf;
}

/** Counts the pages of a PDF from Chromium, which does not compress page objects. */
export function pageCount(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

function ended(signal: AbortSignal, problem: () => HoldfastError): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(problem());
    signal.addEventListener('abort', () => reject(problem()), { once: true });
  });
}

const HTML_HINT = 'Save the report as HTML instead, and print it to a PDF from any browser.';

/** Returns the error of a cancelled PDF. */
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

function tooOld(product: string): HoldfastError {
  return new HoldfastError({
    code: 'BROWSER_TOO_OLD',
    message: `The browser of this computer is ${product}; a report with page numbers needs version ${MIN_VERSION} or newer.`,
    hint: `Update it. ${HTML_HINT}`,
  });
}

function failed(program: string, thrown: unknown, lastWords: string): HoldfastError {
  const words = lastWords.trim().split('\n').slice(-4).join('\n');
  return new HoldfastError(
    {
      code: 'PDF_FAILED',
      message: `The browser ${program} could not print the report: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      hint: [HTML_HINT, words === '' ? '' : `Its last output:\n${words}`].filter((part) => part !== '').join(' '),
    },
    { cause: thrown },
  );
}
