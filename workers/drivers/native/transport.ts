import type { Socket } from 'node:net';
import type { Phase } from '#core/base/errorNames.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { RawAnswer } from '#workers/sampling/rawAnswer.ts';
import type { Sampler } from '#workers/sampling/sampler.ts';
import type { FramedAnswer } from '#workers/framer/framedAnswer.ts';
import type { DialShare } from '../dialler.ts';
import type { TimeLimits } from './timeLimits.ts';

/** What the connections of one thread to one target share. */
export interface ConnectionShare extends DialShare {
  readonly limits: TimeLimits;
  /** The run ends now: requests that wait for a stream are not sent. */
  readonly isAborted: boolean;
  /** Instant of the read whose bytes are looked at: they are looked at before the next read. */
  readUs: number;
  /** Keeps answers for people to look at; null when nobody will. */
  readonly sampler: Sampler | null;
  /** Lets the server close a connection first, but not for ever. */
  retire(socket: Socket | null): void;
}

/** Told by a {@link Transport} about the request that is on its way. Instants are on the shared clock, in microseconds. */
export interface TransportListener {
  /** The host name was looked up for the request. */
  resolved(atUs: number, lookupUs: number): void;
  opened(atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number, isResumed: boolean): void;
  wrote(bytes: number): void;
  /** The request is sent again: the server had not begun it, or had closed the connection before it responded. */
  resent(atUs: number): void;
  /** The response continues after these bytes. */
  received(bytes: number, atUs: number): void;
  /** With these bytes the answer is complete; it is held until the next request is sent. */
  answered(atUs: number, bytes: number): void;
  /** No complete answer will come. */
  failed(code: string, phase: Phase, atUs: number): void;
}

/**
 * Sends requests one at a time and reads their answers: a connection of HTTP/1.1, or a stream of HTTP/2 after the other. It knows framing, time
 * limits and sockets, and nothing of plans or statistics.
 */
export interface Transport {
  readonly framed: FramedAnswer;
  /** What has come of the present answer, where samples are kept. */
  readonly raw: Pick<RawAnswer, 'bytes'>;
  /** A request is on its way. */
  readonly isBusy: boolean;
  /** A connection is there, or on its way: the next request needs no other. */
  readonly isOpen: boolean;
  /** Address of the present connection; null where there is none. */
  readonly address: string | null;
  /** Answers that the present connection has brought. */
  readonly answers: number;
  readonly startUs: number;
  readonly writtenUs: number;
  readonly firstByteUs: number;
  /** Sends a request whose start was at `startUs`. Only when not busy. */
  send(request: BuiltRequest, startUs: number): void;
  /** Sends bytes of another protocol over the connection that was upgraded to it. Returns how many wait to be sent. */
  push(bytes: Buffer): number;
  /** The present answer may take as long as it likes from now on. */
  hold(): void;
  /** Ends a request whose time is over. */
  expire(nowUs: number): void;
  /** The next request takes another connection. Returns the socket that nobody else uses any more, for the server to close it; null where there is none. */
  release(): Socket | null;
  /** Closes what nobody else uses and forgets the request, without telling. */
  close(): void;
}
