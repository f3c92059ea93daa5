import { inflateRawSync } from '#threads/zlib.ts';
import type { Fault, MessageInflater } from './frames.ts';

const EXTENSION_NAME = 'permessage-deflate';
const MAX_WINDOW_BITS = 15;
const WINDOW_BITS_PATTERN = /^(?:[89]|1[0-5])$/;

/**
 * The offered compression (RFC 7692), as the value of Sec-WebSocket-Extensions. Both sides compress each message separately: otherwise each
 * of ten thousand sockets would need 32 kB for its context.
 */
export const DEFLATE_OFFER = `${EXTENSION_NAME}; server_no_context_takeover; client_no_context_takeover; client_max_window_bits`;

/**
 * Returns the window of the server in bits, 8 to 15, as agreed in its Sec-WebSocket-Extensions, whose lines may be joined by LF. Returns
 * null if there is no extension, and `WS_BAD_EXTENSION` for anything that {@link DEFLATE_OFFER} does not cover (RFC 7692, section 7.1).
 */
export function parseAgreedWindow(value: string): number | null | 'WS_BAD_EXTENSION' {
  const extensions = value
    .split(/[,\n]/)
    .map((extension) => extension.trim())
    .filter((extension) => extension !== '');
  const [extension] = extensions;
  if (extension === undefined) return null;
  if (extensions.length > 1) return 'WS_BAD_EXTENSION';
  const [name, ...rest] = extension.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map(parseParameter));
  const isOffered = name === EXTENSION_NAME && [...parameters].every(([parameter, given]) => isAllowed(parameter, given));
  if (!isOffered || parameters.size < rest.length || !parameters.has('server_no_context_takeover')) return 'WS_BAD_EXTENSION';
  return Number(parameters.get('server_max_window_bits') ?? MAX_WINDOW_BITS);
}

/** Returns the name and the value of a parameter. The value may be quoted. */
function parseParameter(text: string): readonly [name: string, value: string | null] {
  const at = text.indexOf('=');
  if (at < 0) return [text, null];
  const value = text.slice(at + 1).trim();
  return [text.slice(0, at).trim(), /^"(.*)"$/.exec(value)?.[1] ?? value];
}

function isAllowed(name: string, value: string | null): boolean {
  switch (name) {
    case 'server_no_context_takeover':
    case 'client_no_context_takeover':
      return value === null;
    case 'server_max_window_bits':
    case 'client_max_window_bits':
      return value !== null && WINDOW_BITS_PATTERN.test(value);
    default:
      return false;
  }
}

const NO_BYTES = Buffer.alloc(0);
/**
 * The bytes that end each message and are not sent (RFC 7692, section 7.2.1), followed by a final empty block. Data is truncated if a
 * decompressor does not reach this block.
 */
const DEFLATE_TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff, 0x03, 0x00]);
/** Maximum number of deflate streams in one message. Servers do not send several, and each needs a call of zlib. */
const MAX_STREAMS = 16;
const MIN_CHUNK_BYTES = 1_024;
const MAX_CHUNK_BYTES = 65_536;

/**
 * Decompresses the messages of a server (RFC 7692, section 7.2.2) synchronously, so that messages keep their order. Each message uses a new
 * decompressor, which takes 6 µs. Nothing is kept between messages.
 */
export class Inflater implements MessageInflater {
  private readonly windowBits: number;
  private readonly maxMessageBytes: number;

  constructor(windowBits: number, maxMessageBytes: number) {
    this.windowBits = windowBits;
    this.maxMessageBytes = maxMessageBytes;
  }

  inflate(buffer: Buffer, start: number, end: number): Buffer | Fault {
    // Some servers compress an empty message to nothing.
    if (start === end) return NO_BYTES;
    const packed = Buffer.concat([buffer.subarray(start, end), DEFLATE_TAIL]);
    let message: Buffer = NO_BYTES;
    // The streams of one message may refer to earlier ones.
    let context: Buffer = NO_BYTES;
    for (let at = 0, streams = 1; at < end - start; streams += 1) {
      const stream = streams > MAX_STREAMS ? 'WS_BAD_DEFLATE' : this.inflateStream(packed.subarray(at), context, message.length);
      if (typeof stream === 'string') return stream;
      at += stream.taken;
      if (at < end - start) context = this.nextContext(context, stream.bytes);
      message = message.length === 0 ? stream.bytes : Buffer.concat([message, stream.bytes]);
    }
    return message;
  }

  private inflateStream(packed: Buffer, context: Buffer, before: number): InflateResult | Fault {
    const left = this.maxMessageBytes - before;
    try {
      const inflated = readInflated(
        inflateRawSync(packed, {
          info: true,
          windowBits: this.windowBits,
          chunkSize: Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, 4 * packed.length)),
          maxOutputLength: Math.max(1, left),
          ...(context.length === 0 ? {} : { dictionary: context }),
        }),
      );
      return inflated.bytes.length > left ? 'WS_TOO_LARGE' : inflated;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === 'ERR_BUFFER_TOO_LARGE') return 'WS_TOO_LARGE';
      if (code === 'Z_DATA_ERROR' || code === 'Z_BUF_ERROR') return 'WS_BAD_DEFLATE';
      throw error;
    }
  }

  /** Returns the last bytes, at most one window of them. */
  private nextContext(context: Buffer, bytes: Buffer): Buffer {
    const windowBytes = 2 ** this.windowBits;
    return Buffer.concat([context, bytes]).subarray(-windowBytes);
  }
}

interface InflateResult {
  readonly bytes: Buffer;
  /** Number of compressed bytes that were read. */
  readonly taken: number;
}

/** Reads the result of zlib with `info: true`, which Node's types do not declare. */
function readInflated(result: unknown): InflateResult {
  if (typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result) {
    const { buffer, engine } = result;
    if (Buffer.isBuffer(buffer) && typeof engine === 'object' && engine !== null && 'bytesWritten' in engine)
      return { bytes: buffer, taken: Number(engine.bytesWritten) };
  }
  throw new TypeError('zlib did not say how much it read');
}
