import { constants, deflateRawSync, inflateRawSync } from '#threads/zlib.ts';
import type { Fault, MessageInflater } from './frames.ts';

/** What we offer of RFC 7692. Window sizes are powers of two: 8 to 15 bits. */
export interface DeflateOffer {
  /** The server packs each message by itself, and we keep nothing for the next. */
  readonly serverNoContextTakeover: boolean;
  /** The server need keep nothing of our messages; we pack each by itself in any case. */
  readonly clientNoContextTakeover: boolean;
  /** null: any. */
  readonly serverMaxWindowBits: number | null;
  /** Of our window. `any`: the server may limit it; null: it may not. */
  readonly clientMaxWindowBits: number | 'any' | null;
}

/** Lets neither side keep anything between messages. */
export const LEAN_OFFER: DeflateOffer = {
  serverNoContextTakeover: true,
  clientNoContextTakeover: true,
  serverMaxWindowBits: null,
  clientMaxWindowBits: 'any',
};

export interface AgreedDeflate {
  /** The server's messages refer to those before. */
  readonly serverKeepsContext: boolean;
  readonly serverWindowBits: number;
  readonly clientWindowBits: number;
}

const NAME = 'permessage-deflate';
const MOST_BITS = 15;
const IS_BITS = /^(?:[89]|1[0-5])$/;

/** The value of Sec-WebSocket-Extensions. */
export function deflateOffer(offer: DeflateOffer): string {
  const { serverNoContextTakeover, clientNoContextTakeover, serverMaxWindowBits, clientMaxWindowBits } = offer;
  return [
    NAME,
    ...(serverNoContextTakeover ? ['server_no_context_takeover'] : []),
    ...(clientNoContextTakeover ? ['client_no_context_takeover'] : []),
    ...(serverMaxWindowBits === null ? [] : [`server_max_window_bits=${serverMaxWindowBits}`]),
    ...(clientMaxWindowBits === null ? [] : [`client_max_window_bits${clientMaxWindowBits === 'any' ? '' : `=${clientMaxWindowBits}`}`]),
  ].join('; ');
}

/**
 * What the server agreed to by its Sec-WebSocket-Extensions, lines of which may be joined by LF: null where it takes no extension, and
 * `WS_BAD_EXTENSION` for anything that does not follow from the offer (RFC 7692, 7.1).
 */
export function agreedDeflate(value: string, offer: DeflateOffer | null): AgreedDeflate | null | 'WS_BAD_EXTENSION' {
  const extensions = value
    .split(/[,\n]/)
    .map((extension) => extension.trim())
    .filter((extension) => extension !== '');
  const [extension] = extensions;
  if (extension === undefined) return null;
  if (offer === null || extensions.length > 1) return 'WS_BAD_EXTENSION';
  const [name, ...rest] = extension.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map(parameterOf));
  const isKnown = [...parameters].every(([parameter, given]) => isAllowed(parameter, given, offer));
  if (name !== NAME || !isKnown || parameters.size < rest.length || !keepsOffer(parameters, offer)) return 'WS_BAD_EXTENSION';
  const ownBits = typeof offer.clientMaxWindowBits === 'number' ? offer.clientMaxWindowBits : MOST_BITS;
  return {
    serverKeepsContext: !parameters.has('server_no_context_takeover'),
    serverWindowBits: Number(parameters.get('server_max_window_bits') ?? MOST_BITS),
    clientWindowBits: Number(parameters.get('client_max_window_bits') ?? ownBits),
  };
}

/** Name and value of a parameter; a value may stand in quotes. */
function parameterOf(text: string): readonly [name: string, value: string | null] {
  const at = text.indexOf('=');
  if (at < 0) return [text, null];
  const value = text.slice(at + 1).trim();
  return [text.slice(0, at).trim(), /^"(.*)"$/.exec(value)?.[1] ?? value];
}

/** Whether a server may say so. It may limit itself unasked, and our window only where the offer lets it. */
function isAllowed(name: string, value: string | null, { clientMaxWindowBits }: DeflateOffer): boolean {
  switch (name) {
    case 'server_no_context_takeover':
    case 'client_no_context_takeover':
      return value === null;
    case 'server_max_window_bits':
      return value !== null && IS_BITS.test(value);
    case 'client_max_window_bits':
      return value !== null && IS_BITS.test(value) && clientMaxWindowBits !== null && Number(value) <= mostOf(clientMaxWindowBits);
    default:
      return false;
  }
}

/** What we ask of the server is agreed to by saying it again; a window may be smaller. */
function keepsOffer(parameters: ReadonlyMap<string, string | null>, offer: DeflateOffer): boolean {
  if (offer.serverNoContextTakeover && !parameters.has('server_no_context_takeover')) return false;
  return Number(parameters.get('server_max_window_bits') ?? MOST_BITS) <= (offer.serverMaxWindowBits ?? MOST_BITS);
}

function mostOf(bits: number | 'any'): number {
  return bits === 'any' ? MOST_BITS : bits;
}

const NO_BYTES = Buffer.alloc(0);
/** What ends each message and is not sent (RFC 7692, 7.2.1). */
const CUT_OFF_BYTES = 4;
/** That, and a last, empty block: what does not reach it lacks its end. */
const TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff, 0x03, 0x00]);
/** A message may be several streams, one behind the other, but no server sends them. Each costs a call of zlib. */
const MOST_STREAMS = 16;
const LEAST_CHUNK_BYTES = 1_024;
const MOST_CHUNK_BYTES = 65_536;

/**
 * Unpacks the compressed messages of a server (RFC 7692, 7.2.2), at once: in the order in which they came, and no later than those that are not
 * compressed. Each has a decompressor of its own, which takes 6 µs and is gone with the message. Where the server keeps its context, the last
 * bytes of earlier messages are kept for the next, at most a window (32 KiB). Where it does not, nothing is kept and one serves all connections.
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
    // Some servers pack an empty message into nothing at all.
    if (start === end) return NO_BYTES;
    const packed = Buffer.concat([buffer.subarray(start, end), TAIL]);
    let message: Buffer = NO_BYTES;
    let context = this.context;
    for (let at = 0, streams = 1; at < end - start; streams += 1) {
      const stream = streams > MOST_STREAMS ? 'WS_BAD_DEFLATE' : this.inflateStream(packed.subarray(at), context, message.length);
      if (typeof stream === 'string') return stream;
      at += stream.taken;
      if (this.keepsContext || at < end - start) context = this.contextBehind(context, stream.bytes);
      message = message.length === 0 ? stream.bytes : Buffer.concat([message, stream.bytes]);
    }
    if (this.keepsContext) this.context = context;
    return message;
  }

  private inflateStream(packed: Buffer, context: Buffer, before: number): Inflated | Fault {
    const left = this.maxMessageBytes - before;
    try {
      const inflated = readInflated(
        inflateRawSync(packed, {
          info: true,
          windowBits: this.windowBits,
          chunkSize: Math.max(LEAST_CHUNK_BYTES, Math.min(MOST_CHUNK_BYTES, 4 * packed.length)),
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

  /** In memory of its own: a part of what Node shares among small buffers would hold all of that as long as the connection lasts. */
  private contextBehind(context: Buffer, bytes: Buffer): Buffer {
    const most = 2 ** this.windowBits;
    const ofBytes = Math.min(most, bytes.length);
    const ofContext = Math.min(most - ofBytes, context.length);
    const behind = Buffer.allocUnsafeSlow(ofContext + ofBytes);
    context.copy(behind, 0, context.length - ofContext);
    bytes.copy(behind, ofContext, bytes.length - ofBytes);
    return behind;
  }
}

interface Inflated {
  readonly bytes: Buffer;
  /** Of the packed bytes. */
  readonly taken: number;
}

/** What Node returns when it is asked for the engine too, which its types do not know. */
function readInflated(result: unknown): Inflated {
  if (typeof result === 'object' && result !== null && 'buffer' in result && 'engine' in result) {
    const { buffer, engine } = result;
    if (Buffer.isBuffer(buffer) && typeof engine === 'object' && engine !== null && 'bytesWritten' in engine)
      return { bytes: buffer, taken: Number(engine.bytesWritten) };
  }
  throw new TypeError('zlib did not say how much it read');
}

/** Packs a message by itself, with nothing of those before: whoever sends it again may keep what this returns. */
export function deflateMessage(message: Buffer, { clientWindowBits }: AgreedDeflate): Buffer {
  const packed = deflateRawSync(message, { finishFlush: constants.Z_SYNC_FLUSH, windowBits: clientWindowBits });
  return packed.subarray(0, packed.length - CUT_OFF_BYTES);
}
