import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { FlowControl } from './flowControl.ts';
import { dataFrame, headersFrames } from './frames/writeFrames.ts';
import { HpackEncoder } from './hpack/hpackEncoder.ts';
import { requestFields } from './requestFields.ts';
import type { SessionStream } from './sessionStream.ts';
import type { PeerSettings } from './settings.ts';

/** A header block, and the encoder generation for which it is valid. */
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
  /** Header blocks by request, valid while the encoder's generation is unchanged. */
  private readonly blocks = new WeakMap<BuiltRequest, KnownBlock>();
  /** The previous request: many journeys have only one. */
  private lastRequest: BuiltRequest | null = null;
  private lastBlock: KnownBlock | undefined;

  /** `tableBytes`: size of the header table, whatever the server allows. */
  constructor(flow: FlowControl, tableBytes: number, write: (frames: Buffer) => void) {
    this.flow = flow;
    this.tableBytes = tableBytes;
    this.write = write;
    this.encoder = new HpackEncoder(tableBytes);
  }

  setMaxTableBytes(bytes: number): void {
    this.encoder.setMaxTableBytes(Math.min(bytes, this.tableBytes));
  }

  /** Writes the head of a request whose stream has a number, and the start of its body. */
  begin(stream: SessionStream, request: BuiltRequest, peer: PeerSettings, nowUs: number): void {
    stream.sendWindow = peer.initialWindow;
    stream.sentBodyBytes = 0;
    const hasBody = request.body !== null && request.body.length > 0;
    const frames = headersFrames(stream.id, this.blockOf(request), !hasBody, peer.maxFrameBytes);
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

  private blockOf(request: BuiltRequest): Buffer {
    const known = this.knownBlockOf(request);
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

  private knownBlockOf(request: BuiltRequest): KnownBlock | undefined {
    if (request === this.lastRequest) return this.lastBlock;
    this.lastRequest = request;
    this.lastBlock = this.blocks.get(request);
    return this.lastBlock;
  }
}
