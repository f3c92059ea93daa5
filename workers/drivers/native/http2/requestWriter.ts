import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { FlowControl } from './flowControl.ts';
import { dataFrame, headersFrames } from './frames/writeFrames.ts';
import { HpackEncoder } from './hpack/hpackEncoder.ts';
import { requestFields } from './requestFields.ts';
import type { SessionStream } from './sessionStream.ts';
import type { PeerSettings } from './settings.ts';

/** A header block, and the generation of the encoder that it is right for. */
interface KnownBlock {
  readonly block: Buffer;
  readonly generation: number;
}

/** Writes the requests of a session as frames, as far as the windows of the server let their bodies through. */
export class RequestWriter {
  private readonly flow: FlowControl;
  private readonly tableBytes: number;
  private readonly write: (frames: Buffer) => void;
  private readonly encoder: HpackEncoder;
  /** Header blocks by the request that they are of: right as long as the encoder's generation is the same. */
  private readonly blocks = new WeakMap<BuiltRequest, KnownBlock>();
  /** That of the request before: many journeys have but one. */
  private lastRequest: BuiltRequest | null = null;
  private lastBlock: KnownBlock | undefined;

  /** `tableBytes`: of the table of header fields, whatever the server allows. */
  constructor(flow: FlowControl, tableBytes: number, write: (frames: Buffer) => void) {
    this.flow = flow;
    this.tableBytes = tableBytes;
    this.write = write;
    this.encoder = new HpackEncoder(tableBytes);
  }

  setMaxTableBytes(bytes: number): void {
    this.encoder.setMaxTableBytes(Math.min(bytes, this.tableBytes));
  }

  /** Writes the head of a request, whose stream has its number, and the beginning of its body. */
  begin(stream: SessionStream, request: BuiltRequest, peer: PeerSettings, nowUs: number): void {
    stream.sendWindow = peer.initialWindow;
    stream.sentBodyBytes = 0;
    const hasBody = request.body !== null && request.body.length > 0;
    const frames = headersFrames(stream.id, this.blockOf(request), !hasBody, peer.maxFrameBytes);
    this.write(frames);
    stream.written(frames.length, nowUs);
    this.goOn(stream, peer);
  }

  /** As much of the body as both windows let through. */
  goOn(stream: SessionStream, { maxFrameBytes }: PeerSettings): void {
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

  private blockOf(request: BuiltRequest): Buffer {
    const known = this.knownBlockOf(request);
    if (known !== undefined && known.generation === this.encoder.generation) return known.block;
    const { generation } = this.encoder;
    const block = this.encoder.encode(requestFields(request));
    // One that changed nothing says the same next time.
    if (this.encoder.generation === generation) {
      this.lastBlock = { block, generation };
      this.blocks.set(request, this.lastBlock);
    }
    return block;
  }

  private knownBlockOf(request: BuiltRequest): KnownBlock | undefined {
    if (request === this.lastRequest) return this.lastBlock;
    this.lastRequest = request;
    this.lastBlock = this.blocks.get(request);
    return this.lastBlock;
  }
}
