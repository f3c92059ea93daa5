import type { Socket } from 'node:net';
import type { Phase } from '#core/base/errorNames.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { RawResponse, Sampler } from '#workers/sampling/sampler.ts';
import type { FramedResponse } from '#framer/framedResponse.ts';
import type { DialShare } from '../dialler.ts';

/** State that all connections of one thread to one target share. */
export interface ConnectionShare extends DialShare {
  readonly limits: TimeLimits;
  /** Whether the run is aborted. Requests that wait for an HTTP/2 stream are then not sent. */
  readonly isAborted: boolean;
  readUs: number;
  /** Keeps samples of responses; null if none are kept. */
  readonly sampler: Sampler | null;
  /** Waits for a limited time until the server closes the connection, then closes it. */
  retire(socket: Socket | null): void;
}

/** Receives the events of the current request of a {@link Transport}. Times are on the shared clock, in microseconds. */
export interface TransportListener {
  resolved(atUs: number, lookupUs: number): void;
  opened(atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number, isResumed: boolean): void;
  wrote(bytes: number): void;
  /** Called when the request is sent again, because the server had not processed it, or had closed the connection before it responded. */
  resent(atUs: number): void;
  /** Called for received bytes after which the response continues. `bytes` is their number. */
  received(bytes: number, atUs: number): void;
  /**
   * Called when the response is complete. `bytes` is the number of bytes that completed it. The response is kept until the next request is
   * sent.
   */
  responded(atUs: number, bytes: number): void;
  failed(code: string, phase: Phase, atUs: number): void;
}

/**
 * Sends one request at a time and reads its response, over an HTTP/1.1 connection or over successive HTTP/2 streams. It handles framing,
 * time limits and sockets, but no plans or statistics.
 */
export interface Transport {
  readonly framed: FramedResponse;
  /** Received bytes of the current response, if samples are kept. */
  readonly raw: Pick<RawResponse, 'bytes'>;
  readonly isBusy: boolean;
  readonly isOpen: boolean;
  /** Address of the current connection; null if there is none. */
  readonly address: string | null;
  /** Number of responses on the current connection. */
  readonly responses: number;
  readonly startUs: number;
  readonly writtenUs: number;
  readonly firstByteUs: number;
  /** Sends a request that started at `startUs`. Must not be called while a request is in flight. */
  send(request: BuiltRequest, startUs: number): void;
  /** Sends bytes on an upgraded connection. Returns the number of bytes that still wait to be sent. */
  push(bytes: Buffer): number;
  /** Removes the time limit of the current response. */
  hold(): void;
  /** Ends a request that has exceeded its time limit. */
  expire(nowUs: number): void;
  /**
   * Detaches the current connection. If no other user shares its socket, returns the socket, which the server should close; otherwise
   * returns null.
   */
  release(): Socket | null;
  /** Closes connections that are not shared, and drops the request without reporting it. */
  close(): void;
}

/** Time limits of one request in microseconds. The limit that is reached first ends the request. */
export interface TimeLimits {
  /** Maximum time from the start of the connection attempt until it is established, including TLS; Infinity if there is no limit. */
  readonly connectUs: number;
  /** Maximum time from the end of writing the request to the first byte of the response; Infinity if there is no limit. */
  readonly firstByteUs: number;
  /** Maximum time from the start, including connecting, to the last byte. */
  readonly totalUs: number;
}

export function minLimitUs({ connectUs, firstByteUs, totalUs }: TimeLimits): number {
  return Math.min(connectUs, firstByteUs, totalUs);
}
