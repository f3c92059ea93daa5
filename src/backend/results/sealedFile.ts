import { verify } from 'node:crypto';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import type { Window } from '#core/measurement/window.ts';
import {
  toContent,
  intactCheck,
  sealedContentSchema,
  sealedReport,
  sealedResult,
  type SealedRun,
} from '#core/presentation/document/sealed.ts';
import { MAX_SEALED_BYTES, type SealCheck } from '#core/presentation/document/sealCheck.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import type { RunResult } from '#core/result/schema.ts';
import { parseValue } from '#core/review/check.ts';
import { AgentBounds } from '../remote/agent/bounds.ts';
import { brotliCompressSync, brotliDecompressSync, constants } from '#threads/zlib.ts';
import { fingerprintWords, type SealKey, toPublicKey } from './sealKey.ts';

/** Maximum size of the unpacked data. */
const MAX_DATA_BYTES = 48_000_000;
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const MAX_RUN_SECONDS = 31 * 86_400;

/** Separates the signatures of sealed files from those of anything else. */
const SIGNED_PREFIX = Buffer.from('holdfast-seal/1\n');
/** The last line of a sealed file. Everything before it is signed, and so is the key. */
const SEAL = /^<!-- holdfast-seal\/1 ([0-9a-f]{64}) ([0-9a-f]{128}) -->\n$/;
const SEAL_BYTES = '<!-- holdfast-seal/1 '.length + 64 + 1 + 128 + ' -->\n'.length;

const PAGE_END = '</body>\n</html>\n';
const DATA_START = '<template id="holdfast-sealed">';
const DATA_END = '</template>\n';

/** Seals a run. `result`: the result of its windows. Returns the HTML file. */
export function sealRun(run: SealedRun, result: RunResult, key: SealKey): string {
  const data = brotliCompressSync(JSON.stringify(toContent(run, run.windows.map(toBase64))), COMPRESSION).toString('base64');
  const body = renderPage(run, result, key.publicHex, data);
  const signature = key.sign(signedBytes(Buffer.from(body), key.publicHex)).toString('hex');
  return `${body}<!-- holdfast-seal/1 ${key.publicHex} ${signature} -->\n`;
}

/**
 * Checks a file: its signature, then whether its windows give the verdict that it states and the page that it shows. If the signature is
 * wrong, nothing else is read. `version`: of this Holdfast. `ownKey`: public key of this installation.
 */
export function checkSealed(bytes: Buffer, { version, ownKey }: { readonly version: string; readonly ownKey: string | null }): SealCheck {
  const [, publicHex, signature] = SEAL.exec(bytes.subarray(-SEAL_BYTES).toString('latin1')) ?? [];
  if (publicHex === undefined || signature === undefined || bytes.length > MAX_SEALED_BYTES) return { state: 'notSealed' };
  const body = bytes.subarray(0, -SEAL_BYTES);
  if (!isSigned(body, publicHex, signature)) return { state: 'changed' };
  const seal = { signer: fingerprintWords(publicHex), isOwnKey: publicHex === ownKey };
  try {
    const data = findData(body.toString());
    const run = readRun(data);
    const result = sealedResult(run);
    const isSamePage = run.version === version ? Buffer.from(renderPage(run, result, publicHex, data)).equals(body) : null;
    return intactCheck(run, result, { ...seal, isSamePage });
  } catch (thrown) {
    return { state: 'unreadable', ...seal, reason: describeReason(thrown) };
  }
}

function renderPage(run: SealedRun, result: RunResult, publicHex: string, data: string): string {
  const html = renderHtml(sealedReport(run, result, fingerprintWords(publicHex)));
  if (!html.endsWith(PAGE_END)) throw new Error('The page has another end.');
  return `${html.slice(0, -PAGE_END.length)}${DATA_START}${data}${DATA_END}${PAGE_END}`;
}

function signedBytes(body: Uint8Array, publicHex: string): Buffer {
  return Buffer.concat([SIGNED_PREFIX, Buffer.from(publicHex), body]);
}

function isSigned(body: Uint8Array, publicHex: string, signature: string): boolean {
  try {
    return verify(null, signedBytes(body, publicHex), toPublicKey(publicHex), Buffer.from(signature, 'hex'));
  } catch {
    // The 32 bytes are not a public key.
    return false;
  }
}

/** Returns the data at the end of the page. */
function findData(body: string): string {
  const start = body.lastIndexOf(DATA_START) + DATA_START.length;
  const end = body.length - DATA_END.length - PAGE_END.length;
  if (start < DATA_START.length || start > end || !body.endsWith(`${DATA_END}${PAGE_END}`))
    throw new UnreadableError('It contains no data.');
  return body.slice(start, end);
}

function readRun(data: string): SealedRun {
  const text = brotliDecompressSync(Buffer.from(data, 'base64'), { maxOutputLength: MAX_DATA_BYTES }).toString();
  const { plan: given, windows: encoded, schema: _schema, ...content } = sealedContentSchema.parse(JSON.parse(text));
  const { plan } = parseValue(given);
  if (plan === null) throw new UnreadableError('Its plan is invalid.');
  return { ...content, plan, windows: readWindows(encoded, plan) };
}

function readWindows(encoded: readonly string[], plan: RunResult['plan']): Window[] {
  const bounds = new AgentBounds(plan, () => MAX_RUN_SECONDS);
  let end = -1;
  return encoded.map((text) => {
    const window = decodeWindow(Buffer.from(text, 'base64'));
    const problem =
      window.second < end || window.width > MAX_RUN_SECONDS ? 'another order of time' : bounds.findWindowProblem(window, window);
    if (problem !== null) throw new UnreadableError(`Its windows have ${problem}.`);
    end = window.second + window.width;
    return window;
  });
}

function toBase64(window: Window): string {
  return Buffer.from(encodeWindow(window)).toString('base64');
}

class UnreadableError extends Error {}

/** Returns a reason to show. Messages of other errors are replaced, because they may contain text of the file and do not help the user. */
function describeReason(thrown: unknown): string {
  return thrown instanceof UnreadableError ? thrown.message : 'Its data are damaged.';
}
