import { TextDecoder } from 'node:util';
import type { CheckCode } from '#core/work/bodyCheck/errorTexts.ts';
import { formatBytes } from '#core/base/units.ts';
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from '#threads/zlib.ts';

/** Reason why a body cannot be read. A check of that body fails. */
export class UnreadableBody extends Error {
  readonly code: CheckCode;
  readonly label: string;

  constructor(code: CheckCode, label: string) {
    super(label);
    this.code = code;
    this.label = label;
  }
}

/** The parts of a response that its checks use. */
export interface CheckedResponse {
  /** Number of received body bytes, before decompression. */
  readonly bodyBytes: number;
  /** Kept body; null if no check needs it, or if there was no room to keep it. */
  readonly body: Buffer | null;
  readonly contentEncoding: string | undefined;
  readonly contentType: string | undefined;
}

/**
 * Maximum size of a body that is kept, also after decompression: some servers send lists of 41 MB, and a body may decompress to a thousand
 * times its size. Larger bodies are only counted. A thread decompresses only one body at a time.
 */
export const MAX_KEPT_BYTES = 64 * 1_048_576;
const MAX_ENCODINGS = 4;
/** Content-Encoding values of servers that do not compress a body; only `identity` is standard. */
const IDENTITY_CODINGS: ReadonlySet<string> = new Set(['', 'identity', 'none']);

/**
 * Returns the body as text: decompressed according to its Content-Encoding, and decoded in its charset, or in UTF-8 if no known charset is
 * named.
 * @throws {UnreadableBody} if the body was not kept or cannot be decompressed.
 */
export function textOf({ body, bodyBytes, contentEncoding, contentType }: CheckedResponse): string {
  if (body === null) throw new UnreadableBody('NOT_KEPT', `${formatBytes(bodyBytes)}`);
  return findDecoder(contentType).decode(unpackBody(body, contentEncoding));
}

function unpackBody(body: Buffer, contentEncoding: string | undefined): Buffer {
  if (contentEncoding === undefined || body.length === 0) return body;
  // Several header lines are joined by a line feed. The last coding in the list was applied last.
  const codings = contentEncoding
    .toLowerCase()
    .split(/[,\n]/)
    .map((coding) => coding.trim())
    .filter((coding) => !IDENTITY_CODINGS.has(coding));
  if (codings.length > MAX_ENCODINGS) throw new UnreadableBody('NOT_DECODED', `${codings.length} codings`);
  return codings.reduceRight(unpackCoding, body);
}

function unpackCoding(packed: Buffer, coding: string): Buffer {
  try {
    const body = unpack(packed, coding, MAX_KEPT_BYTES);
    if (body !== null) return body;
  } catch (thrown) {
    const isTooLarge = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';
    throw new UnreadableBody('NOT_DECODED', isTooLarge ? `more than ${formatBytes(MAX_KEPT_BYTES)} when unpacked` : `damaged ${coding}`);
  }
  throw new UnreadableBody('NOT_DECODED', `its coding ${coding.slice(0, 20)} is unknown`);
}

const UTF8 = new TextDecoder();
const decoders = new Map<string, TextDecoder>();
const MAX_DECODERS = 50;

function findDecoder(contentType: string | undefined): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";,]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
  if (charset === undefined || charset === 'utf-8') return UTF8;
  const known = decoders.get(charset);
  if (known !== undefined) return known;
  const decoder = createDecoder(charset);
  // The number of decoders is limited, because a server may name a new charset in every response.
  if (decoders.size < MAX_DECODERS) decoders.set(charset, decoder);
  return decoder;
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return UTF8;
  }
}

/**
 * Decompresses an HTTP content coding (name in lower case). Returns null if the coding is unknown. With `isBeginning`, the end may be
 * missing, and the available part is returned.
 * @throws {Error} for damaged data, and with code `ERR_BUFFER_TOO_LARGE` for more than `maxOutputLength` bytes.
 */
export function unpack(packed: Buffer, coding: string, maxOutputLength: number, isBeginning = false): Buffer | null {
  const { Z_SYNC_FLUSH, Z_FINISH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH, ZSTD_e_flush, ZSTD_e_end } = constants;
  const options = { maxOutputLength, finishFlush: isBeginning ? Z_SYNC_FLUSH : Z_FINISH };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(packed, options);
    case 'deflate':
      // The standard requires the zlib wrapper (RFC 9110, section 8.4.1.2), which some servers omit. The first byte of the wrapper names
      // method 8.
      return (((packed[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(packed, options);
    case 'br': {
      const finishFlush = isBeginning ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_FINISH;
      return brotliDecompressSync(packed, { maxOutputLength, finishFlush });
    }
    case 'zstd': {
      const finishFlush = isBeginning ? ZSTD_e_flush : ZSTD_e_end;
      return zstdDecompressSync(packed, { maxOutputLength, finishFlush });
    }
    default:
      return null;
  }
}
