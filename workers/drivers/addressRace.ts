import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { codeOf } from '../errorClass.ts';
import type { Addresses } from './addresses.ts';

/** Delay after which the next address is tried in parallel to one that has not responded (RFC 8305, 5). */
export const NEXT_ATTEMPT_MS = 250;
/** Error codes that concern this computer and not the address: no file descriptor is left. */
const LOCAL_ERROR_CODES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE']);

export interface RaceListener {
  won(socket: Socket, address: string, connectUs: number): void;
  lost(code: string): void;
}

export interface RaceShare {
  readonly addresses: Addresses;
  readonly now: Clock;
  /** Called at the end of a race for each address that has not responded for at least `NEXT_ATTEMPT_MS`. */
  silent(address: string): void;
}

interface Attempt {
  readonly address: string;
  readonly sinceUs: number;
}

/**
 * Connects to the first address of a host that accepts, as browsers do. Addresses are tried in sequence, or in parallel to one that does
 * not respond.
 */
export class AddressRace {
  private readonly share: RaceShare;
  private readonly dial: (address: string) => Socket;
  private readonly listener: RaceListener;
  private readonly attempts = new Map<Socket, Attempt>();
  private readonly tried = new Set<string>();
  private left: string[] = [];
  private timer: NodeJS.Timeout | null = null;
  /** Number of the current race. The result of a lookup for an earlier race is ignored. */
  private round = 0;

  constructor(share: RaceShare, dial: (address: string) => Socket, listener: RaceListener) {
    this.share = share;
    this.dial = dial;
    this.listener = listener;
  }

  start(): void {
    this.round += 1;
    this.tried.clear();
    this.left = [...this.share.addresses.orderForConnection()];
    this.next();
  }

  stop(): void {
    this.round += 1;
    this.endTimer();
    const nowUs = this.share.now();
    for (const [socket, { address, sinceUs }] of this.attempts) {
      if (nowUs - sinceUs >= NEXT_ATTEMPT_MS * 1_000) {
        this.share.addresses.failed(address);
        this.share.silent(address);
      }
      socket.destroy();
    }
    this.attempts.clear();
  }

  private next(): void {
    this.endTimer();
    const address = this.left.shift();
    if (address === undefined) return;
    this.tried.add(address);
    const socket = this.dial(address);
    this.attempts.set(socket, { address, sinceUs: this.share.now() });
    socket.once('connect', () => this.connected(socket));
    socket.on('error', (error) => this.failed(socket, codeOf(error)));
    if (this.left.length > 0) this.timer = setTimeout(() => this.next(), NEXT_ATTEMPT_MS);
  }

  private connected(socket: Socket): void {
    const attempt = this.attempts.get(socket);
    if (attempt === undefined) return;
    this.attempts.delete(socket);
    this.stop();
    this.share.addresses.accepted(attempt.address);
    this.listener.won(socket, attempt.address, this.share.now() - attempt.sinceUs);
  }

  private failed(socket: Socket, code: string): void {
    const attempt = this.attempts.get(socket);
    if (attempt === undefined) return;
    this.attempts.delete(socket);
    socket.destroy();
    if (LOCAL_ERROR_CODES.has(code)) {
      this.lose(code);
      return;
    }
    this.share.addresses.failed(attempt.address);
    if (this.left.length > 0) this.next();
    else if (this.attempts.size === 0) this.askAgain(code);
  }

  /** Looks the name up again, because its addresses may have changed. */
  private askAgain(code: string): void {
    const { addresses } = this.share;
    const { round } = this;
    const asked = addresses.askAgain();
    const continueRace = (): void => {
      if (this.round !== round) return;
      this.left = addresses.orderForConnection().filter((address) => !this.tried.has(address));
      if (this.left.length > 0) this.next();
      else this.lose(code);
    };
    if (asked === null) this.lose(code);
    else asked.then(continueRace, continueRace);
  }

  private lose(code: string): void {
    this.stop();
    this.listener.lost(code);
  }

  private endTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
