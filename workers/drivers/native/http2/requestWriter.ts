import type { BuiltRequest } from '#workers/requestBytes.ts';
import { RawResponse } from '#workers/sampling/sampler.ts';
import type { FlowControl, PeerSettings } from './settings.ts';
import { dataFrame, headersFrames } from './frames/writeFrames.ts';
import { HpackEncoder } from './hpack/hpackEncoder.ts';
import type { SessionStream } from './openStreams.ts';
import type { Field } from './hpack/hpackDecoder.ts';

/** A header block, and the generation of the encoder for which it is valid. */
interface KnownBlock {
  readonly block: Buffer;
  readonly generation: number;
}

/** Writes the requests of a session as frames, within the server's flow-control windows. */
export class RequestWriter {
  private readonly flow: FlowControl;
  private readonly tableBytes: number;
  private readonly write: (frames: Buffer) => void;
  private readonly encoder: HpackEncoder;
  /** Header blocks by request. They are valid while the encoder's generation is unchanged. */
  private readonly blocks = new WeakMap<BuiltRequest, KnownBlock>();
  /** The previous request and its block are kept in fields, because many journeys have only one request. */
  private lastRequest: BuiltRequest | null = null;
  private lastBlock: KnownBlock | undefined;

  /** `tableBytes` is the size of the header table, whatever the server allows. */
  constructor(flow: FlowControl, tableBytes: number, write: (frames: Buffer) => void) {
    this.flow = flow;
    this.tableBytes = tableBytes;
    this.write = write;
    this.encoder = new HpackEncoder(tableBytes);
  }

  setMaxTableBytes(bytes: number): void {
    this.encoder.setMaxTableBytes(Math.min(bytes, this.tableBytes));
  }

  /** Writes the head of a request and the start of its body. The stream must have a number. */
  begin(stream: SessionStream, request: BuiltRequest, peer: PeerSettings, nowUs: number): void {
    stream.sendWindow = peer.initialWindow;
    stream.sentBodyBytes = 0;
    const hasBody = request.body !== null && request.body.length > 0;
    const frames = headersFrames(stream.id, this.encodeHeaders(request), !hasBody, peer.maxFrameBytes);
    this.write(frames);
    stream.written(frames.length, nowUs);
    this.continueBody(stream, peer);
  }

  /** Writes as much of the body as both windows allow. */
  continueBody(stream: SessionStream, { maxFrameBytes }: PeerSettings): void {
    const body = stream.request?.body ?? null;
    if (body === null) return;
    while (stream.sentBodyBytes < body.length) {
      const rest = body.length - stream.sentBodyBytes;
      const length = Math.min(rest, maxFrameBytes, stream.sendWindow, this.flow.sendWindow);
      if (length <= 0) return;
      const frame = dataFrame(stream.id, body.subarray(stream.sentBodyBytes, stream.sentBodyBytes + length), length === rest);
      stream.sendWindow -= length;
      stream.sentBodyBytes += length;
      this.flow.sendWindow -= length;
      this.write(frame);
      stream.wroteMore(frame.length);
    }
  }

  private encodeHeaders(request: BuiltRequest): Buffer {
    const known = this.findKnownBlock(request);
    if (known !== undefined && known.generation === this.encoder.generation) return known.block;
    const { generation } = this.encoder;
    const block = this.encoder.encode(requestFields(request));
    // A block that did not change the encoder stays valid.
    if (this.encoder.generation === generation) {
      this.lastBlock = { block, generation };
      this.blocks.set(request, this.lastBlock);
    }
    return block;
  }

  private findKnownBlock(request: BuiltRequest): KnownBlock | undefined {
    if (request === this.lastRequest) return this.lastBlock;
    this.lastRequest = request;
    this.lastBlock = this.blocks.get(request);
    return this.lastBlock;
  }
}

/** Received part of a response on a stream: its last head, which may be interim, and its body. */
export class RawStream extends RawResponse {
  head: readonly Field[] | null = null;

  override begin(): void {
    super.begin();
    this.head = null;
  }

  override get bytes(): Buffer {
    return this.head === null ? super.bytes : Buffer.concat([readableHead(this.head), super.bytes]);
  }
}

/** Formats the head as in HTTP/1.1, for people. It is called only on demand, which is rare. */
function readableHead([status, ...others]: readonly Field[]): Buffer {
  const lines = [`HTTP/2 ${status?.value ?? ''}`, ...others.map(({ name, value }) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** Connection-specific fields of HTTP/1.1, which HTTP/2 forbids (RFC 9113, section 8.2.2). */
const CONNECTION_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/**
 * Returns the header list of a request for HTTP/2: pseudo-header fields from the request line and Host, then the other headers in lower
 * case.
 */
function requestFields({ method, url, headers }: BuiltRequest): Field[] {
  const fields: Field[] = [
    { name: ':method', value: method },
    { name: ':scheme', value: url.protocol.slice(0, -1) },
    { name: ':authority', value: headers.get('host')?.[1] ?? url.host },
    { name: ':path', value: `${url.pathname}${url.search}` },
  ];
  for (const [name, [, value]] of headers) {
    if (CONNECTION_HEADERS.has(name) || (name === 'te' && value.toLowerCase() !== 'trailers')) continue;
    // UTF-8 bytes, as HTTP/1.1 sends them.
    fields.push({ name, value: Buffer.from(value, 'utf8').toString('latin1').trim() });
  }
  return fields;
}
