import type { Socket } from 'node:net';
import type { Phase } from '#core/base/errorNames.ts';
import { CLOSED_EARLY } from '#workers/errorClass.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import { NO_HTTP2 } from '#workers/drivers/endpoint.ts';
import { Dialler, type DialListener } from '#workers/drivers/dialler.ts';
import type { ConnectionShare } from '../transport.ts';
import {
  FlowControl,
  http2ErrorName,
  MAX_HEADER_LIST_BYTES,
  PEER_DEFAULTS,
  type PeerSettings,
  readSettings,
  SETTINGS,
} from './settings.ts';
import { type FrameError, type FrameListener, FrameReader } from './frames/frameReader.ts';
import {
  CONNECTION_PREFACE,
  goAway,
  H2_ERRORS,
  pingAck,
  resetStream,
  settingsAck,
  settingsFrame,
  windowUpdate,
} from './frames/writeFrames.ts';
import { HpackDecoder } from './hpack/hpackDecoder.ts';
import { OpenStreams, type SessionStream } from './openStreams.ts';
import { RequestWriter } from './requestWriter.ts';

/** Stream number from which a new connection is opened, well before the numbers end at 2^31 − 1. */
const MAX_STREAM_NUMBER = 2 ** 30;
const FRAME_HEAD_BYTES = 9;
/** First byte of “HTTP/1.1 400 Bad Request”, which an HTTP/1 server sends in response to the preface. */
const HTTP1_FIRST_BYTE = 0x48;
const TABLE_BYTES = 4_096;
/** Maximum number of bytes of replies that the peer has not read. A peer that exceeds it is probably malicious. */
const MAX_UNREAD_BYTES = 1_048_576;

/** One HTTP/2 connection (RFC 9113) with its streams. It ends with its last stream after retirement, with GOAWAY, or with its socket. */
export class Http2Session implements FrameListener, DialListener {
  responses = 0;
  private readonly share: ConnectionShare;
  private readonly dialler: Dialler;
  private readonly reader = new FrameReader(this);
  private readonly decoder = new HpackDecoder({ maxTableBytes: TABLE_BYTES, maxListBytes: MAX_HEADER_LIST_BYTES });
  private readonly flow = new FlowControl();
  private readonly writer = new RequestWriter(this.flow, TABLE_BYTES, (bytes) => this.write(bytes));
  private readonly streams = new OpenStreams();
  /** Requests that wait for the connection, or for a free stream. */
  private waiting: SessionStream[] = [];
  private opener: SessionStream | null = null;
  private peer: PeerSettings = PEER_DEFAULTS;
  private hasSettings = false;
  private hasRead = false;
  private nextId = 1;
  private state: 'new' | 'opening' | 'open' | 'gone' = 'new';
  /** Whether the session accepts no more requests. */
  private isRetired = false;
  /** Bytes that are to be sent, usually of one request; null if there are none. */
  private out: Buffer | null = null;
  private moreOut: Buffer[] = [];
  /** Number of bytes of the current read that belong to no stream so far. */
  private unassignedBytes = 0;
  private activeStream: SessionStream | null = null;
  constructor(share: ConnectionShare) {
    this.share = share;
    this.dialler = new Dialler(share, this);
  }

  get takesMore(): boolean {
    return !this.isRetired && this.state !== 'gone' && this.nextId < MAX_STREAM_NUMBER;
  }

  get isIdle(): boolean {
    return this.streams.size === 0 && this.waiting.length === 0;
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Maximum number of concurrent streams. Before the server has sent its settings, one stream is always allowed. */
  private get maxStreams(): number {
    return this.hasSettings ? this.peer.maxConcurrentStreams : 1;
  }

  get address(): string | null {
    return this.dialler.address;
  }

  /** Phase of the connection attempt; null once the connection is open. */
  get openingPhase(): Phase | null {
    return this.dialler.phase;
  }

  /** Sends the request of a stream as soon as possible. */
  enter(stream: SessionStream, nowUs: number): void {
    if (this.state === 'open' && this.waiting.length === 0 && this.streams.size < this.maxStreams) {
      this.begin(stream, stream.request, nowUs);
      return;
    }
    this.waiting.push(stream);
    if (this.state !== 'new') return;
    this.state = 'opening';
    this.opener = stream;
    this.dialler.open();
  }

  /** Removes a stream. With `cancels`, the stream is reset on the server. */
  leave(stream: SessionStream, cancels: boolean): void {
    this.waiting = this.waiting.filter((one) => one !== stream);
    if (this.opener === stream) this.opener = this.waiting[0] ?? null;
    if (this.activeStream === stream) this.activeStream = null;
    if (this.streams.has(stream)) {
      this.streams.delete(stream);
      if (cancels) this.write(resetStream(stream.id, H2_ERRORS.CANCEL));
    }
    // An unfinished connection attempt is abandoned, and the next request starts a new one.
    if (this.state === 'opening' && this.isIdle) this.abandon();
    else if (!this.share.isAborted) this.sendWaiting();
  }

  /** Accepts no more requests and ends with the last response. */
  retire(): void {
    this.isRetired = true;
    if (this.state === 'opening' && this.isIdle) this.abandon();
    else this.endIfIdle();
  }

  resolved(atUs: number, lookupUs: number): void {
    this.opener?.resolved(atUs, lookupUs);
  }

  opened(atUs: number, connectUs: number): void {
    this.opener?.opened(atUs, connectUs);
  }

  secured(atUs: number, tlsUs: number, isResumed: boolean): void {
    this.opener?.secured(atUs, tlsUs, isResumed);
  }

  ready(_socket: Socket, atUs: number): void {
    this.state = 'open';
    this.opener = null;
    this.write(CONNECTION_PREFACE);
    this.write(settingsFrame(SETTINGS));
    this.write(windowUpdate(0, this.flow.firstUpdate));
    this.beginWaiting(atUs);
  }

  read(buffer: Buffer, length: number): void {
    this.share.readUs = this.share.now();
    this.unassignedBytes = length;
    // The first frame must be SETTINGS. A frame with this first byte would exceed the maximum length.
    const isHttp1 = !this.hasRead && buffer[0] === HTTP1_FIRST_BYTE;
    this.hasRead = true;
    if (isHttp1) {
      this.lose(NO_HTTP2, null);
      return;
    }
    const error = this.reader.feed(buffer, 0, length);
    if (error !== null) this.end(error);
    // Bytes of frame heads, and of frames about the whole connection, count for the stream that was active last.
    if (this.unassignedBytes > 0) this.activeStream?.take(this.unassignedBytes);
    this.activeStream?.report(this.share.readUs);
    this.activeStream = null;
  }

  ended(): void {
    this.lose(CLOSED_EARLY, this.dialler.phase);
  }

  broken(code: string, phase: Phase | null): void {
    this.lose(code, phase);
  }

  onHeaders(id: number, buffer: Buffer, start: number, end: number, endsStream: boolean): FrameError | null {
    const refusal = this.decoder.decode(buffer, start, end);
    if (refusal === 'COMPRESSION_ERROR') return { code: H2_ERRORS.COMPRESSION_ERROR, reason: 'H2_COMPRESSION' };
    const stream = this.streams.get(id);
    if (stream === undefined) return this.unknownStream(id);
    this.assign(stream, FRAME_HEAD_BYTES + end - start);
    if (refusal !== null) this.refuse(stream, 'HEAD_TOO_LARGE');
    else this.judge(stream, stream.head(this.decoder.fields, endsStream, this.share.readUs), endsStream);
    return null;
  }

  onData(id: number, buffer: Buffer, start: number, end: number, flowBytes: number): FrameError | null {
    const stream = this.streams.get(id);
    const update = this.flow.received(flowBytes);
    if (update < 0) return { code: H2_ERRORS.FLOW_CONTROL_ERROR, reason: 'H2_FLOW_CONTROL' };
    if (update > 0) this.write(windowUpdate(0, update));
    if (stream === undefined) return this.unknownStream(id);
    this.assign(stream, flowBytes);
    stream.receivedBytes += flowBytes;
    const ownUpdate = this.flow.streamUpdate(stream.receivedBytes);
    if (ownUpdate < 0) return { code: H2_ERRORS.FLOW_CONTROL_ERROR, reason: 'H2_FLOW_CONTROL' };
    if (ownUpdate > 0) {
      stream.receivedBytes = 0;
      this.write(windowUpdate(id, ownUpdate));
    }
    if (end > start) this.judge(stream, stream.body(buffer, start, end), false);
    return null;
  }

  onDataEnd(id: number): FrameError | null {
    const stream = this.streams.get(id);
    if (stream === undefined) return this.unknownStream(id);
    this.judge(stream, null, true);
    return null;
  }

  onReset(id: number, code: number): FrameError | null {
    const stream = this.streams.get(id);
    if (stream === undefined) return this.unknownStream(id);
    if (code === H2_ERRORS.REFUSED_STREAM) this.handBack(stream, 'RST_REFUSED_STREAM');
    else this.drop(stream, `RST_${http2ErrorName(code)}`);
    return null;
  }

  onSettings(entries: readonly (readonly [id: number, value: number])[]): FrameError | null {
    const before = this.peer.initialWindow;
    const read = readSettings(this.peer, entries);
    if ('reason' in read) return read;
    this.peer = read;
    this.hasSettings = true;
    this.writer.setMaxTableBytes(read.headerTableBytes);
    this.write(settingsAck());
    for (const stream of this.streams.all) {
      stream.sendWindow += read.initialWindow - before;
      this.writer.continueBody(stream, this.peer);
    }
    this.sendWaiting();
    return this.unreadReplies();
  }

  onSettingsAck(): FrameError | null {
    return null;
  }

  onPing(opaque: Buffer): FrameError | null {
    this.write(pingAck(opaque));
    return this.unreadReplies();
  }

  /** Returns an error if the server requests replies without reading them, because unread replies would fill the memory. */
  private unreadReplies(): FrameError | null {
    return (this.dialler.socket?.writableLength ?? 0) > MAX_UNREAD_BYTES ? { code: H2_ERRORS.ENHANCE_YOUR_CALM, reason: 'H2_FLOOD' } : null;
  }

  onGoAway(lastStream: number, code: number): FrameError | null {
    this.isRetired = true;
    const left = [...this.streams.all.filter(({ id }) => id > lastStream), ...this.waiting];
    // No stream may be opened after GOAWAY (RFC 9113, section 6.8), so the slots of streams that are handed back stay empty.
    this.waiting = [];
    for (const stream of left) this.handBack(stream, 'GOAWAY_NOT_PROCESSED');
    if (code !== H2_ERRORS.NO_ERROR) {
      // When one stream is lost, its owner may abandon other streams, and send their requests over another connection.
      for (const stream of this.streams.all) if (this.streams.has(stream)) this.drop(stream, `GOAWAY_${http2ErrorName(code)}`);
    }
    this.endIfIdle();
    return null;
  }

  onWindowUpdate(id: number, increment: number): FrameError | null {
    const overflow = { code: H2_ERRORS.FLOW_CONTROL_ERROR, reason: 'H2_FLOW_CONTROL' };
    if (id === 0) {
      if (!this.flow.widen(increment)) return overflow;
      for (const stream of this.streams.all) this.writer.continueBody(stream, this.peer);
      return null;
    }
    const stream = this.streams.get(id);
    if (stream === undefined) return this.unknownStream(id);
    stream.sendWindow += increment;
    if (stream.sendWindow > FlowControl.MAX_WINDOW) return overflow;
    this.writer.continueBody(stream, this.peer);
    return null;
  }

  private sendWaiting(): void {
    if (this.state === 'open' && this.waiting.length > 0) this.beginWaiting(this.share.now());
    this.endIfIdle();
  }

  private beginWaiting(nowUs: number): void {
    while (this.waiting.length > 0 && this.streams.size < this.maxStreams) {
      const stream = this.waiting.shift();
      if (stream !== undefined) this.begin(stream, stream.request, nowUs);
    }
  }

  private begin(stream: SessionStream, request: BuiltRequest | null, nowUs: number): void {
    if (request === null) return;
    stream.id = this.nextId;
    this.nextId += 2;
    stream.receivedBytes = 0;
    this.streams.add(stream);
    this.writer.begin(stream, request, this.peer, nowUs);
  }

  private assign(stream: SessionStream, bytes: number): void {
    this.unassignedBytes -= bytes;
    if (this.activeStream !== stream) this.activeStream?.report(this.share.readUs);
    this.activeStream = stream;
    stream.take(bytes);
  }

  private judge(stream: SessionStream, refusal: string | null, endsStream: boolean): void {
    if (refusal !== null) {
      this.refuse(stream, refusal);
      return;
    }
    if (!endsStream) return;
    this.streams.delete(stream);
    // The number is read first, because when this response ends, the next request may start under another number.
    const { id } = stream;
    const isUnsent = stream.sentBodyBytes < (stream.request?.body?.length ?? 0);
    this.responses += 1;
    const lacking = stream.ended(this.share.readUs);
    // A server may respond before it has read the whole body. It then needs no more of the body.
    if (isUnsent || lacking !== null) this.write(resetStream(id, H2_ERRORS.CANCEL));
    if (lacking !== null) stream.lost(lacking, null);
    this.sendWaiting();
  }

  private refuse(stream: SessionStream, code: string): void {
    this.write(resetStream(stream.id, H2_ERRORS.PROTOCOL_ERROR));
    this.drop(stream, code);
  }

  /** Hands back a request that the server has not processed. */
  private handBack(stream: SessionStream, code: string): void {
    this.leave(stream, false);
    stream.unprocessed(code);
  }

  private drop(stream: SessionStream, code: string): void {
    this.leave(stream, false);
    stream.lost(code, null);
  }

  /** Returns an error for a stream that never existed. Frames of an abandoned stream may still arrive, and are ignored. */
  private unknownStream(id: number): FrameError | null {
    return id >= this.nextId || id % 2 === 0 ? { code: H2_ERRORS.PROTOCOL_ERROR, reason: 'H2_NO_SUCH_STREAM' } : null;
  }

  /** Sends bytes. All bytes written in one turn of the event loop are sent together. */
  private write(bytes: Buffer): void {
    if (this.out !== null) {
      this.moreOut.push(bytes);
      return;
    }
    this.out = bytes;
    queueMicrotask(this.flush);
  }

  private readonly flush = (): void => {
    const { out, moreOut } = this;
    const { socket } = this.dialler;
    if (out === null) return;
    this.out = null;
    if (moreOut.length > 0) this.moreOut = [];
    socket?.write(moreOut.length === 0 ? out : Buffer.concat([out, ...moreOut]));
  };

  private endIfIdle(): void {
    if (!this.isRetired || this.state !== 'open' || !this.isIdle) return;
    this.write(goAway(0, H2_ERRORS.NO_ERROR));
    this.flush();
    this.state = 'gone';
    // The server closes first. If it has not after one second, this side closes.
    const socket = this.dialler.release();
    if (socket !== null) this.share.retire(socket);
  }

  private end({ code, reason }: FrameError): void {
    this.write(goAway(0, code));
    this.flush();
    this.lose(reason, null);
  }

  private lose(code: string, phase: Phase | null): void {
    if (this.state === 'gone') return;
    this.state = 'gone';
    const left = [...this.streams.all, ...this.waiting];
    this.streams.clear();
    this.waiting = [];
    this.dialler.release()?.destroy();
    for (const stream of left) stream.disconnected(code, phase);
  }

  private abandon(): void {
    this.state = 'gone';
    this.dialler.release()?.destroy();
  }
}
