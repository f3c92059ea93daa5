import type { Socket } from 'node:net';
import type { Phase } from '#core/base/errorNames.ts';
import { CLOSED_EARLY, isIdleTimeout, mayBeSentAgain, TIMED_OUT, UNEXPECTED_DATA } from '#workers/errorClass.ts';
import { type BodyPiece, BodyWriter } from '#workers/fileBody.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import { RawResponse } from '#workers/sampling/sampler.ts';
import type { ResponseFramer } from '#framer/framer.ts';
import { Dialler, type DialListener } from '../dialler.ts';
import type { ConnectionShare, Transport, TransportListener } from './transport.ts';

const NO_DEADLINE_US = Number.POSITIVE_INFINITY;
const NO_BYTES = Buffer.alloc(0);

/** One HTTP/1.1 connection with one request at a time. It reconnects for the next request after its socket has closed. */
export class Connection implements Transport, DialListener {
  readonly framed: ResponseFramer;
  /** Time at which the current request times out; Infinity between requests. */
  deadlineUs = NO_DEADLINE_US;
  startUs = 0;
  writtenUs = 0;
  firstByteUs = 0;
  readonly raw = new RawResponse();
  responses = 0;
  private readonly share: ConnectionShare;
  private readonly listener: TransportListener;
  private readonly dialler: Dialler;
  private phase: Phase = 'resolve';
  private pending = false;
  private bytes: Buffer = NO_BYTES;
  private tail: readonly BodyPiece[] | null = null;
  /** Sends a body from disk; null for bodies in memory. */
  private bodyWriter: BodyWriter | null = null;
  private method = '';
  private isHead = false;
  private upgrades = false;
  /** Whether received bytes are events of a held stream, which samples leave out. */
  private isHeld = false;

  constructor(share: ConnectionShare, framer: ResponseFramer, listener: TransportListener) {
    this.share = share;
    this.framed = framer;
    this.listener = listener;
    this.dialler = new Dialler(share, this);
  }

  get isBusy(): boolean {
    return this.pending;
  }

  get address(): string | null {
    return this.dialler.address;
  }

  get isOpen(): boolean {
    return this.dialler.isOpen;
  }

  send({ bytes, tail, method, isHead, upgrades = false }: BuiltRequest, startUs: number): void {
    this.pending = true;
    this.tail = tail ?? null;
    this.bytes = bytes;
    this.method = method;
    this.isHead = isHead;
    this.upgrades = upgrades;
    this.startUs = startUs;
    this.firstByteUs = 0;
    const { socket } = this.dialler;
    if (socket !== null) this.write(socket, startUs);
    else this.open(startUs);
  }

  push(bytes: Buffer): number {
    const { socket } = this.dialler;
    this.listener.wrote(bytes.length);
    socket?.write(bytes);
    return socket?.writableLength ?? 0;
  }

  hold(): void {
    this.deadlineUs = NO_DEADLINE_US;
    this.bytes = NO_BYTES;
    this.isHeld = true;
    this.raw.begin();
  }

  expire(nowUs: number): void {
    if (this.pending && nowUs >= this.deadlineUs) this.fail(TIMED_OUT, this.dialler.phase ?? this.phase);
  }

  release(): Socket | null {
    return this.dialler.release();
  }

  close(): void {
    this.pending = false;
    this.bodyWriter?.stop();
    this.bodyWriter = null;
    this.deadlineUs = NO_DEADLINE_US;
    this.release()?.destroy();
  }

  resolved(atUs: number, lookupUs: number): void {
    this.listener.resolved(atUs, lookupUs);
  }

  opened(atUs: number, connectUs: number): void {
    this.listener.opened(atUs, connectUs);
  }

  secured(atUs: number, tlsUs: number, isResumed: boolean): void {
    this.listener.secured(atUs, tlsUs, isResumed);
  }

  ready(socket: Socket, atUs: number): void {
    this.write(socket, atUs);
  }

  read(buffer: Buffer, length: number): void {
    const nowUs = this.share.now();
    this.share.readUs = nowUs;
    if (!this.pending) {
      // The bytes were not requested: a server may send a 408 before it closes an idle connection.
      this.close();
      return;
    }
    if (this.dialler.phase !== null) {
      this.fail(UNEXPECTED_DATA, this.dialler.phase);
      return;
    }
    if (this.firstByteUs === 0) {
      this.firstByteUs = nowUs;
      this.phase = 'body';
      this.deadlineUs = this.startUs + this.share.limits.totalUs;
    }
    const { framed } = this;
    const { sampler } = this.share;
    const isKept = sampler !== null && sampler.isOpen && !this.isHeld;
    if (isKept) this.raw.collect(buffer, 0, length, sampler.limitBytes);
    const position = framed.feed(buffer, 0, length);
    if (isKept && !framed.complete) this.raw.keep();
    if (framed.complete && framed.refusal === null) {
      this.settle(nowUs, length, position < length);
      return;
    }
    this.listener.received(length, nowUs);
    if (framed.refusal !== null) this.fail(framed.refusal, this.phase);
  }

  /** Handles the server's FIN. A response without a length is then complete; any other request is lost. */
  ended(): void {
    if (!this.pending) {
      this.close();
      return;
    }
    const phase = this.dialler.phase ?? this.phase;
    if (phase === 'body') {
      this.framed.finish();
      if (this.framed.complete) {
        this.release()?.destroy();
        this.settle(this.share.now(), 0, false);
        return;
      }
    }
    this.lose(CLOSED_EARLY, phase);
  }

  broken(code: string, phase: Phase | null): void {
    if (this.pending) this.lose(code, phase ?? this.phase);
    else this.close();
  }

  private open(nowUs: number): void {
    const { connectUs, totalUs } = this.share.limits;
    this.responses = 0;
    this.deadlineUs = Math.min(nowUs + connectUs, this.startUs + totalUs);
    this.dialler.open();
  }

  /**
   * Handles a lost connection. The request is sent again only if this connection has received a response before. A new connection has not,
   * which rules out a third attempt.
   */
  private lose(code: string, phase: Phase): void {
    if (phase !== 'firstByte' || this.responses === 0 || !mayBeSentAgain(this.method, code)) {
      this.fail(code, phase);
      return;
    }
    this.sendAgain(this.share.now());
  }

  private sendAgain(nowUs: number): void {
    this.release()?.destroy();
    this.firstByteUs = 0;
    this.listener.resent(nowUs);
    this.open(nowUs);
  }

  private write(socket: Socket, nowUs: number): void {
    const { firstByteUs, totalUs } = this.share.limits;
    this.phase = 'firstByte';
    this.writtenUs = nowUs;
    this.deadlineUs = Math.min(nowUs + firstByteUs, this.startUs + totalUs);
    this.framed.begin(this.isHead, this.upgrades);
    this.raw.begin();
    this.isHeld = false;
    if (this.tail !== null && !this.openBody(this.tail)) return;
    this.listener.wrote(this.bytes.length);
    socket.write(this.bytes);
    this.bodyWriter?.start(socket);
  }

  /** Opens the files of a body. Until the whole body is sent, only the time limit of the whole request applies. */
  private openBody(tail: readonly BodyPiece[]): boolean {
    const writer = new BodyWriter(tail, {
      wrote: (bytes) => this.listener.wrote(bytes),
      sent: () => {
        const { firstByteUs, totalUs } = this.share.limits;
        this.writtenUs = this.share.now();
        if (this.firstByteUs === 0) this.deadlineUs = Math.min(this.writtenUs + firstByteUs, this.startUs + totalUs);
      },
      faulty: (code, isBegun) => this.fail(code, isBegun ? 'firstByte' : 'build'),
    });
    const fault = writer.open();
    this.bodyWriter = writer;
    this.deadlineUs = this.startUs + this.share.limits.totalUs;
    // The failure is reported later, because the sender is not ready for it yet.
    if (fault !== null) queueMicrotask(() => this.bodyWriter === writer && this.pending && this.fail(fault, 'build'));
    return fault === null;
  }

  private settle(nowUs: number, bytes: number, hasSurplus: boolean): void {
    if (isIdleTimeout(this.framed.status, this.responses, this.firstByteUs - this.writtenUs)) {
      if (bytes > 0) this.listener.received(bytes, nowUs);
      this.bodyWriter?.stop();
      this.bodyWriter = null;
      this.sendAgain(nowUs);
      return;
    }
    this.pending = false;
    this.deadlineUs = NO_DEADLINE_US;
    this.responses += 1;
    // If the response comes before the end of the body, the connection is unusable.
    if (hasSurplus || this.bodyWriter?.isOver === false) this.release()?.destroy();
    this.bodyWriter?.stop();
    this.bodyWriter = null;
    this.listener.responded(nowUs, bytes);
  }

  private fail(code: string, phase: Phase): void {
    this.close();
    this.listener.failed(code, phase, this.share.now());
  }
}
