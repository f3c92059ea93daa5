import type { Socket } from 'node:net';
import type { Clock } from '#workers/clock.ts';
import { CLOSED_EARLY, codeOf, type Phase, TIMED_OUT, UNEXPECTED_DATA } from '#workers/errorClass.ts';
import { RawAnswer } from '#workers/sampling/rawAnswer.ts';
import type { Sampler } from '#workers/sampling/sampler.ts';
import type { Addresses } from '../addresses.ts';
import type { Endpoint } from './endpoint.ts';
import type { ResponseFramer } from './framer/framer.ts';
import type { TimeLimits } from './timeLimits.ts';

/** What the connections of one thread to one target share. */
export interface ConnectionShare {
  readonly endpoint: Endpoint;
  readonly addresses: Addresses;
  readonly now: Clock;
  readonly limits: TimeLimits;
  /** One for all sockets of the thread: an answer is framed before the next read. */
  readonly readBuffer: Buffer;
  /** Keeps answers for people to look at; null when nobody will. */
  readonly sampler: Sampler | null;
}

/** Told by a {@link Connection} about the request that is on its way. Instants are on the shared clock, in microseconds. */
export interface ConnectionListener {
  opened(address: string, atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number): void;
  wrote(bytes: number): void;
  /** The answer goes on behind these bytes. */
  received(bytes: number, atUs: number): void;
  /** With these bytes the answer is complete; the framer holds it until the next request is sent. */
  answered(atUs: number, bytes: number): void;
  /** No complete answer will come. The socket is gone. */
  failed(code: string, phase: Phase, atUs: number): void;
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * Sends requests one at a time and reads their answers, over one socket as long as it lasts; the next request opens another.
 * It knows HTTP framing, time limits and sockets, and nothing of plans or statistics.
 */
export class Connection {
  readonly framer: ResponseFramer;
  /** When the current request is given up; Infinity between requests. */
  deadlineUs = NEVER;
  startUs = 0;
  writtenUs = 0;
  firstByteUs = 0;
  /** What has come of the present answer, where samples are kept. */
  readonly raw = new RawAnswer();
  /** Answers that the current socket has brought. */
  answers = 0;
  private readonly share: ConnectionShare;
  private readonly listener: ConnectionListener;
  private socket: Socket | null = null;
  private phase: Phase = 'resolve';
  private pending = false;
  private bytes: Buffer = Buffer.alloc(0);
  private isHead = false;
  private phaseUs = 0;
  private failedAddresses = 0;
  /** Tells a name lookup that is still wanted from one whose request was given up. */
  private attempt = 0;

  constructor(share: ConnectionShare, framer: ResponseFramer, listener: ConnectionListener) {
    this.share = share;
    this.framer = framer;
    this.listener = listener;
  }

  /** A request is on its way. */
  get isBusy(): boolean {
    return this.pending;
  }

  /** A socket is there, or on its way: the next request needs no other. */
  get isOpen(): boolean {
    return this.socket !== null;
  }

  /** Sends a request whose start was at `startUs`, on the open socket or on a new one. Only when not busy. */
  send(bytes: Buffer, isHead: boolean, startUs: number): void {
    this.pending = true;
    this.bytes = bytes;
    this.isHead = isHead;
    this.startUs = startUs;
    this.firstByteUs = 0;
    if (this.socket === null) this.open();
    else this.write(this.socket, startUs);
  }

  /** Ends a request whose time is over. */
  expire(nowUs: number): void {
    if (this.pending && nowUs >= this.deadlineUs) this.fail(TIMED_OUT);
  }

  /** Lets go of the open socket, for the server to close it. */
  release(): Socket | null {
    const { socket } = this;
    this.socket = null;
    return socket;
  }

  /** Closes whatever is open and forgets the request, without telling. */
  close(): void {
    this.pending = false;
    this.deadlineUs = NEVER;
    this.attempt += 1;
    this.release()?.destroy();
  }

  private open(): void {
    this.failedAddresses = 0;
    this.answers = 0;
    this.attempt += 1;
    this.deadlineUs = this.startUs + Math.min(this.share.limits.connectUs, this.share.limits.totalUs);
    const { endpoint, addresses } = this.share;
    if (endpoint.socketPath !== null) this.dial(endpoint.socketPath);
    else if (addresses.resolved) this.dialNext();
    else this.resolve(addresses);
  }

  private resolve(addresses: Addresses): void {
    const { attempt } = this;
    const isWanted = (): boolean => this.pending && this.attempt === attempt;
    this.phase = 'resolve';
    addresses.resolve().then(
      () => isWanted() && this.dialNext(),
      (error: unknown) => isWanted() && this.fail(codeOf(error)),
    );
  }

  private dialNext(): void {
    const address = this.share.addresses.candidate(this.failedAddresses);
    if (address === null) this.fail('ENOTFOUND');
    else this.dial(address);
  }

  private dial(address: string): void {
    const { endpoint, readBuffer, now } = this.share;
    this.phase = 'connect';
    this.phaseUs = now();
    const socket = endpoint.dial(address, readBuffer, (buffer, length) => {
      if (socket === this.socket) this.read(buffer, length);
    });
    this.socket = socket;
    socket.on('connect', () => socket === this.socket && this.connected(socket, address));
    if (endpoint.isSecure) socket.on('secureConnect', () => socket === this.socket && this.secured(socket));
    socket.on('error', (error) => socket === this.socket && this.broken(error));
    socket.on('end', () => socket === this.socket && this.ended());
    socket.on('close', () => socket === this.socket && this.ended());
  }

  private connected(socket: Socket, address: string): void {
    const nowUs = this.share.now();
    if (this.share.endpoint.socketPath === null) this.share.addresses.accepted(address);
    this.listener.opened(address, nowUs, nowUs - this.phaseUs);
    if (!this.share.endpoint.isSecure) {
      this.write(socket, nowUs);
      return;
    }
    this.phase = 'tls';
    this.phaseUs = nowUs;
  }

  private secured(socket: Socket): void {
    const nowUs = this.share.now();
    this.listener.secured(nowUs, nowUs - this.phaseUs);
    this.write(socket, nowUs);
  }

  private write(socket: Socket, nowUs: number): void {
    const { firstByteUs, totalUs } = this.share.limits;
    this.phase = 'firstByte';
    this.writtenUs = nowUs;
    this.deadlineUs = Math.min(nowUs + firstByteUs, this.startUs + totalUs);
    this.framer.begin(this.isHead);
    this.raw.begin();
    this.listener.wrote(this.bytes.length);
    socket.write(this.bytes);
  }

  private read(buffer: Buffer, length: number): void {
    const nowUs = this.share.now();
    if (!this.pending) {
      // Nobody asked for these bytes; a server that tires of an idle connection says so with a 408 before it closes it.
      this.close();
      return;
    }
    if (this.phase !== 'firstByte' && this.phase !== 'body') {
      this.fail(UNEXPECTED_DATA);
      return;
    }
    const isFirst = this.firstByteUs === 0;
    if (isFirst) {
      this.firstByteUs = nowUs;
      this.phase = 'body';
      this.deadlineUs = this.startUs + this.share.limits.totalUs;
    }
    const { framer } = this;
    const position = framer.feed(buffer, 0, length);
    const { sampler } = this.share;
    if (sampler !== null && sampler.isOpen) this.raw.take(buffer, length, isFirst && framer.complete, sampler.limitBytes);
    if (framer.complete && framer.refusal === null) {
      this.settle(nowUs, length, position < length);
      return;
    }
    this.listener.received(length, nowUs);
    if (framer.refusal !== null) this.fail(framer.refusal);
  }

  private settle(nowUs: number, bytes: number, hasSurplus: boolean): void {
    this.pending = false;
    this.deadlineUs = NEVER;
    this.answers += 1;
    if (hasSurplus) this.release()?.destroy();
    this.listener.answered(nowUs, bytes);
  }

  private broken(error: Error): void {
    if (!this.pending) {
      this.close();
      return;
    }
    if (this.phase === 'connect' && this.share.endpoint.socketPath === null) {
      this.failedAddresses += 1;
      const { addresses } = this.share;
      if (addresses.candidate(this.failedAddresses) !== null) {
        this.release()?.destroy();
        this.dialNext();
        return;
      }
      addresses.forget();
    }
    this.fail(codeOf(error));
  }

  /** The server closed its side: an answer without a length ends here, any other request is lost. */
  private ended(): void {
    if (!this.pending) {
      this.close();
      return;
    }
    if (this.phase === 'body') {
      this.framer.finish();
      if (this.framer.complete) {
        this.release()?.destroy();
        this.settle(this.share.now(), 0, false);
        return;
      }
    }
    this.fail(CLOSED_EARLY);
  }

  private fail(code: string): void {
    const { phase } = this;
    this.close();
    this.listener.failed(code, phase, this.share.now());
  }
}
