import type { Socket } from 'node:net';
import type { Phase } from '#core/base/errorNames.ts';
import type { Clock } from '../clock.ts';
import { codeOf } from '../errorClass.ts';
import { AddressRace } from './addressRace.ts';
import type { Addresses } from './addresses.ts';
import type { Endpoint } from './endpoint.ts';

/** Receives the events of a {@link Dialler}. Times are on the shared clock, in microseconds. */
export interface DialListener {
  resolved(atUs: number, lookupUs: number): void;
  opened(atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number, isResumed: boolean): void;
  /** Called when the connection is ready for requests. */
  ready(socket: Socket, atUs: number): void;
  /** Called with bytes in the shared buffer, which are valid only until the method returns. */
  read(buffer: Buffer, length: number): void;
  /** Called when the server has closed its side of the open connection. */
  ended(): void;
  /** Called when the connection has failed or was lost. */
  broken(code: string, phase: Phase | null): void;
}

/** State that the connections of one thread to one target share. */
export interface DialShare {
  readonly endpoint: Endpoint;
  readonly addresses: Addresses;
  readonly now: Clock;
  /** One buffer for the sockets of all these connections, because each response is framed before the next read. */
  readonly readBuffer: Buffer;
  silent(address: string): void;
}

/** Opens connections one after the other: looks the name up, finds an address that accepts, and performs the TLS handshake. */
export class Dialler {
  /** Phase of the connection attempt; null if the connection is open or was not requested. */
  phase: Phase | null = null;
  /** Socket of the connection; null until an address has accepted it. */
  socket: Socket | null = null;
  /** Address or Unix socket path of the last opened connection; null if no address has accepted one. */
  address: string | null = null;
  private readonly share: DialShare;
  private readonly listener: DialListener;
  private readonly race: AddressRace;
  private phaseUs = 0;
  /** Number of the attempt, by which outdated name lookups are recognized. */
  private attempt = 0;

  constructor(share: DialShare, listener: DialListener) {
    this.share = share;
    this.listener = listener;
    this.race = new AddressRace(share, (address) => this.dial(address), {
      won: (socket, address, connectUs) => this.connected(socket, address, connectUs),
      lost: (code) => this.break(code),
    });
  }

  get isOpen(): boolean {
    return this.socket !== null || this.phase !== null;
  }

  open(): void {
    this.attempt += 1;
    this.address = null;
    const { endpoint, addresses } = this.share;
    if (endpoint.socketPath !== null) this.dialPath(endpoint.socketPath);
    else if (addresses.resolved) {
      addresses.freshen();
      this.startRace();
    } else this.resolve(addresses);
  }

  /** Detaches the socket, which then reports no more events, and returns it. */
  release(): Socket | null {
    const { socket } = this;
    this.race.stop();
    this.socket = null;
    this.phase = null;
    this.attempt += 1;
    return socket;
  }

  private resolve(addresses: Addresses): void {
    const { attempt } = this;
    const { now } = this.share;
    const sinceUs = now();
    this.phase = 'resolve';
    addresses.resolve().then(
      () => {
        if (this.attempt !== attempt) return;
        this.listener.resolved(now(), now() - sinceUs);
        this.startRace();
      },
      (error: unknown) => this.attempt === attempt && this.break(codeOf(error)),
    );
  }

  private startRace(): void {
    this.phase = 'connect';
    this.race.start();
  }

  private dialPath(path: string): void {
    const sinceUs = this.share.now();
    const socket = this.dial(path);
    this.phase = 'connect';
    this.socket = socket;
    socket.on('connect', () => socket === this.socket && this.connected(socket, path, this.share.now() - sinceUs));
    socket.on('error', (error) => socket === this.socket && this.phase === 'connect' && this.break(codeOf(error)));
  }

  private dial(address: string): Socket {
    const { endpoint, readBuffer } = this.share;
    const callback = (length: number): boolean => {
      if (socket === this.socket) this.listener.read(readBuffer, length);
      return true;
    };
    const socket = endpoint.dial(address, { buffer: readBuffer, callback });
    return socket;
  }

  private connected(socket: Socket, address: string, connectUs: number): void {
    const { endpoint, now } = this.share;
    const nowUs = now();
    this.socket = socket;
    this.address = address;
    this.phaseUs = nowUs;
    this.phase = endpoint.isSecure ? 'tls' : null;
    if (endpoint.isSecure) socket.on('secureConnect', () => socket === this.socket && this.secured(socket));
    socket.on('error', (error) => socket === this.socket && this.break(codeOf(error)));
    socket.on('end', () => socket === this.socket && this.listener.ended());
    socket.on('close', () => socket === this.socket && this.listener.ended());
    this.listener.opened(nowUs, connectUs);
    if (!endpoint.isSecure) this.listener.ready(socket, nowUs);
  }

  private secured(socket: Socket): void {
    const nowUs = this.share.now();
    const refusal = this.share.endpoint.findRefusal(socket);
    if (refusal !== null) {
      this.break(refusal);
      return;
    }
    this.phase = null;
    this.listener.secured(nowUs, nowUs - this.phaseUs, this.share.endpoint.isResumed(socket));
    this.listener.ready(socket, nowUs);
  }

  private break(code: string): void {
    const { phase } = this;
    this.listener.broken(code, phase);
  }
}
