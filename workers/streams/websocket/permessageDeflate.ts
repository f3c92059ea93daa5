import { constants, deflateRawSync, inflateRawSync } from '#threads/zlib.ts';
import type { Fault, MessageInflater } from './frames.ts';

/** The offered compression (RFC 7692). Window sizes are powers of two, given as 8 to 15 bits. */
export interface DeflateOffer {
  /** Whether the server compresses each message separately, so that the client keeps no context. */
  readonly serverNoContextTakeover: boolean;
  /** Whether the server keeps no context. The client compresses each message separately in any case. */
  readonly clientNoContextTakeover: boolean;
  /** Maximum window of the server; null for any size. */
  readonly serverMaxWindowBits: number | null;
  /** Window of the client. `any` means that the server may limit it; null means that it may not. */
  readonly clientMaxWindowBits: number | 'any' | null;
}

/** Offer that disables context takeover on both sides. */
export const LEAN_OFFER: DeflateOffer = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  serverMaxWindowBits: null,
  clientMaxWindowBits: 'any',
};

export interface AgreedDeflate {
  /** Whether messages of the server may refer to earlier ones. */
  readonly serverKeepsContext: boolean;
  readonly serverWindowBits: number;
  readonly clientWindowBits: number;
}

const EXTENSION_NAME = 'permessage-deflate';
const MAX_WINDOW_BITS = 15;
const WINDOW_BITS_PATTERN = /^(?:[89]|1[0-5])$/;

/** Returns the value of Sec-WebSocket-Extensions. */
export function deflateOffer(offer: DeflateOffer): string {
  const { serverNoContextTakeover, clientNoContextTakeover, serverMaxWindowBits, clientMaxWindowBits } = offer;
  return [
    EXTENSION_NAME,
    ...(serverNoContextTakeover ? ['server_no_context_takeover'] : []),
    ...(clientNoContextTakeover ? ['client_no_context_takeover'] : []),
    ...(serverMaxWindowBits === null ? [] : [`server_max_window_bits=${serverMaxWindowBits}`]),
    ...(clientMaxWindowBits === null ? [] : [`client_max_window_bits${clientMaxWindowBits === 'any' ? '' : `=${clientMaxWindowBits}`}`]),
  ].join('; ');
}

/**
 * Returns the agreement in the server's Sec-WebSocket-Extensions, whose lines may be joined by LF. Returns null if there is no extension,
 * and `WS_BAD_EXTENSION` for anything that the offer does not cover (RFC 7692, section 7.1).
 */
export function parseAgreedDeflate(value: string, offer: DeflateOffer | null): AgreedDeflate | null | 'WS_BAD_EXTENSION' {
  const extensions = value
    .split(/[,\n]/)
    .map((extension) => extension.trim())
    .filter((extension) => extension !== '');
  const [extension] = extensions;
  if (extension === undefined) return null;
  if (offer === null || extensions.length > 1) return 'WS_BAD_EXTENSION';
  const [name, ...rest] = extension.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map(parseParameter));
  const isKnown = [...parameters].every(([parameter, given]) => isAllowed(parameter, given, offer));
  if (name !== EXTENSION_NAME || !isKnown || parameters.size < rest.length || !keepsOffer(parameters, offer)) return 'WS_BAD_EXTENSION';
  const ownBits = typeof offer.clientMaxWindowBits === 'number' ? offer.clientMaxWindowBits : MAX_WINDOW_BITS;
  return {
    serverKeepsContext: !parameters.has('server_no_context_takeover'),
    serverWindowBits: Number(parameters.get('server_max_window_bits') ?? MAX_WINDOW_BITS),
    clientWindowBits: Number(parameters.get('client_max_window_bits') ?? ownBits),
  };
}

/** Returns the name and the value of a parameter. The value may be quoted. */
function parseParameter(text: string): readonly [name: string, value: string | null] {
  const at = text.indexOf('=');
  if (at < 0) return [text, null];
  const value = text.slice(at + 1).trim();
  return [text.slice(0, at).trim(), /^"(.*)"$/.exec(value)?.[1] ?? value];
}

/**
 * Returns whether the server may send a parameter. It may limit its own window freely, but that of the client only if the offer allows it.
 */
function isAllowed(name: string, value: string | null, { clientMaxWindowBits }: DeflateOffer): boolean {
  switch (name) {
    case 'server_no_context_takeover':
    case 'client_no_context_takeover':
      return value === null;
    case 'server_max_window_bits':
      return value !== null && WINDOW_BITS_PATTERN.test(value);
    case 'client_max_window_bits':
      return (
        value !== null &&
        WINDOW_BITS_PATTERN.test(value) &&
        clientMaxWindowBits !== null &&
        Number(value) <= maxWindowBits(clientMaxWindowBits)
      );
    default:
      return false;
  }
}

/** Returns whether the agreement repeats what the offer requires. A window may be smaller. */
function keepsOffer(parameters: ReadonlyMap<string, string | null>, offer: DeflateOffer): boolean {
  if (offer.serverNoContextTakeover && !parameters.has('server_no_context_takeover')) return false;
  return Number(parameters.get('server_max_window_bits') ?? MAX_WINDOW_BITS) <= (offer.serverMaxWindowBits ?? MAX_WINDOW_BITS);
}

function maxWindowBits(bits: number | 'any'): number {
  return bits === 'any' ? MAX_WINDOW_BITS : bits;
}

const NO_BYTES = Buffer.alloc(0);
/** Number of bytes that end each message and are not sent (RFC 7692, section 7.2.1). */
const CUT_OFF_BYTES = 4;
/** The bytes that are not sent, followed by a final empty block. Data is truncated if a decompressor does not reach this block. */
const DEFLATE_TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff, 0x03, 0x00]);
/** Maximum number of deflate streams in one message. Servers do not send several, and each needs a call of zlib. */
const MAX_STREAMS = 16;
const MIN_CHUNK_BYTES = 1_024;
const MAX_CHUNK_BYTES = 65_536;

/**
 * Decompresses the messages of a server (RFC 7692, section 7.2.2) synchronously, so that messages keep their order. Each message uses a new
 * decompressor, which takes 6 µs. With context takeover, the last bytes of earlier messages are kept, at most one window (32 KiB). Without
 * context takeover, nothing is kept, and one instance is enough for all connections.
 */
export class Inflater implements MessageInflater {
  private readonly keepsContext: boolean;
  private readonly windowBits: number;
  private readonly maxMessageBytes: number;
  private context: Buffer = NO_BYTES;

  constructor({ serverKeepsContext, serverWindowBits }: AgreedDeflate, maxMessageBytes: number) {
    this.keepsContext = serverKeepsContext;
    this.windowBits = serverWindowBits;
    this.maxMessageBytes = maxMessageBytes;
  }

  inflate(buffer: Buffer, start: number, end: number): Buffer | Fault {
    // Some servers compress an empty message to nothing.
    if (start === end) return NO_BYTES;
    const packed = Buffer.concat([buffer.subarray(start, end), DEFLATE_TAIL]);
    let message: Buffer = NO_BYTES;
    let context = this.context;
    for (let at = 0, streams = 1; at < end - start; streams += 1) {
      const stream = streams > MAX_STREAMS ? 'WS_BAD_DEFLATE' : this.inflateStream(packed.subarray(at), context, message.length);
      if (typeof stream === 'string') return stream;
      at += stream.taken;
      if (this.keepsContext || at < end - start) context = this.nextContext(context, stream.bytes);
      message = message.length === 0 ? stream.bytes : Buffer.concat([message, stream.bytes]);
    }
    if (this.keepsContext) this.context = context;
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

  /** Copies the context to separate memory. A slice of Node's buffer pool would keep the pool in memory as long as the connection. */
  private nextContext(context: Buffer, bytes: Buffer): Buffer {
    const most = 2 ** this.windowBits;
    const ofBytes = Math.min(most, bytes.length);
    const ofContext = Math.min(most - ofBytes, context.length);
    const behind = Buffer.allocUnsafeSlow(ofContext + ofBytes);
    context.copy(behind, 0, context.length - ofContext);
    bytes.copy(behind, ofContext, bytes.length - ofBytes);
    return behind;
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

/** Compresses a message without context. The result may be sent repeatedly. */
export function deflateMessage(message: Buffer, { clientWindowBits }: AgreedDeflate): Buffer {
  const packed = deflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH, windowBits: clientWindowBits });
  return packed.subarray(0, packed.length - CUT_OFF_BYTES);
}
