import type { Socket } from 'node:net';
import type { Phase } from '#core/base/errorNames.ts';
import { codeOf } from '#workers/errorClass.ts';
import type { Addresses } from '../addresses.ts';
import type { ConnectionShare } from './transport.ts';

/** Told by a {@link Dialler}. Instants are on the shared clock, in microseconds. */
export interface DialListener {
  opened(address: string, atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number, isResumed: boolean): void;
  /** Requests may be written. */
  ready(socket: Socket, atUs: number): void;
  /** Bytes as they lie in the shared buffer; valid only until it returns. */
  read(buffer: Buffer, length: number): void;
  /** The server closed its side of the open connection. */
  ended(): void;
  /** There is no connection, or there is none any more. */
  broken(code: string, phase: Phase | null): void;
}

/** Opens one connection after the other: looks the name up, tries its addresses in turn, and agrees on TLS. */
export class Dialler {
  /** How far the connection that is being opened has come; null when it stands, or none was asked for. */
  phase: Phase | null = null;
  socket: Socket | null = null;
  private readonly share: ConnectionShare;
  private readonly listener: DialListener;
  private phaseUs = 0;
  private failedAddresses = 0;
  /** Tells a name lookup that is still wanted from one that was given up. */
  private attempt = 0;

  constructor(share: ConnectionShare, listener: DialListener) {
    this.share = share;
    this.listener = listener;
  }

  open(): void {
    this.failedAddresses = 0;
    this.attempt += 1;
    const { endpoint, addresses } = this.share;
    if (endpoint.socketPath !== null) this.dial(endpoint.socketPath);
    else if (addresses.resolved) this.dialNext();
    else this.resolve(addresses);
  }

  /** Lets go of the socket: nothing more is told of it. */
  release(): Socket | null {
    const { socket } = this;
    this.socket = null;
    this.phase = null;
    this.attempt += 1;
    return socket;
  }

  private resolve(addresses: Addresses): void {
    const { attempt } = this;
    this.phase = 'resolve';
    addresses.resolve().then(
      () => this.attempt === attempt && this.dialNext(),
      (error: unknown) => this.attempt === attempt && this.break(codeOf(error)),
    );
  }

  private dialNext(): void {
    const address = this.share.addresses.candidate(this.failedAddresses);
    if (address === null) this.break('ENOTFOUND');
    else this.dial(address);
  }

  private dial(address: string): void {
    const { endpoint, readBuffer, now } = this.share;
    this.phase = 'connect';
    this.phaseUs = now();
    const onRead = (length: number): boolean => {
      if (socket === this.socket) this.listener.read(readBuffer, length);
      return true;
    };
    const socket = endpoint.dial(address, { buffer: readBuffer, callback: onRead });
    this.socket = socket;
    socket.on('connect', () => socket === this.socket && this.connected(socket, address));
    if (endpoint.isSecure) socket.on('secureConnect', () => socket === this.socket && this.secured(socket));
    socket.on('error', (error) => socket === this.socket && this.failed(error));
    socket.on('end', () => socket === this.socket && this.listener.ended());
    socket.on('close', () => socket === this.socket && this.listener.ended());
  }

  private connected(socket: Socket, address: string): void {
    const { endpoint, addresses, now } = this.share;
    const nowUs = now();
    if (endpoint.socketPath === null) addresses.accepted(address);
    const connectUs = nowUs - this.phaseUs;
    this.phaseUs = nowUs;
    this.phase = endpoint.isSecure ? 'tls' : null;
    this.listener.opened(address, nowUs, connectUs);
    if (!endpoint.isSecure) this.listener.ready(socket, nowUs);
  }

  private secured(socket: Socket): void {
    const nowUs = this.share.now();
    const refusal = this.share.endpoint.refusalOf(socket);
    if (refusal !== null) {
      this.break(refusal);
      return;
    }
    this.phase = null;
    this.listener.secured(nowUs, nowUs - this.phaseUs, this.share.endpoint.isResumed(socket));
    this.listener.ready(socket, nowUs);
  }

  private failed(error: Error): void {
    if (this.phase === 'connect' && this.share.endpoint.socketPath === null) {
      this.failedAddresses += 1;
      const { addresses } = this.share;
      if (addresses.candidate(this.failedAddresses) !== null) {
        const { socket } = this;
        this.socket = null;
        socket?.destroy();
        this.dialNext();
        return;
      }
      addresses.forget();
    }
    this.break(codeOf(error));
  }

  private break(code: string): void {
    const { phase } = this;
    this.listener.broken(code, phase);
  }
}
