import type { Socket } from 'node:net';
import type { Phase } from '#core/base/errorNames.ts';
import type { BuiltRequest } from '#workers/requestBytes.ts';
import type { RawResponse, Sampler } from '#workers/sampling/sampler.ts';
import type { FramedResponse } from '#framer/framedResponse.ts';
import type { DialShare } from '../dialler.ts';

/** State that all connections of one thread to one target share. */
export interface ConnectionShare extends DialShare {
  readonly limits: TimeLimits;
  /** The run is aborted: requests that wait for an HTTP/2 stream are not sent. */
  readonly isAborted: boolean;
  /** Time of the current read, valid until the next read. */
  readUs: number;
  /** Keeps sample responses; null if none are kept. */
  readonly sampler: Sampler | null;
  /** Waits for a limited time for the server to close the connection. */
  retire(socket: Socket | null): void;
}

/** Receives the events of the current request of a {@link Transport}. Times are on the shared clock, in microseconds. */
export interface TransportListener {
  resolved(atUs: number, lookupUs: number): void;
  opened(atUs: number, connectUs: number): void;
  secured(atUs: number, tlsUs: number, isResumed: boolean): void;
  wrote(bytes: number): void;
  /** The request is sent again: the server had not processed it, or had closed the connection before it responded. */
  resent(atUs: number): void;
  /** The response continues after these bytes. */
  received(bytes: number, atUs: number): void;
  /** The response is complete with these bytes. The response is kept until the next request is sent. */
  responded(atUs: number, bytes: number): void;
  failed(code: string, phase: Phase, atUs: number): void;
}

/**
 * Sends one request at a time and reads its response: an HTTP/1.1 connection, or successive HTTP/2 streams. It handles framing, time limits and sockets, and
 * knows no plans or statistics.
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
  /** Sends a request that started at `startUs`. Only when not busy. */
  send(request: BuiltRequest, startUs: number): void;
  /** Sends bytes on an upgraded connection. Returns the number of bytes that wait to be sent. */
  push(bytes: Buffer): number;
  /** Removes the time limit of the current response. */
  hold(): void;
  /** Ends a request that exceeds its time limit. */
  expire(nowUs: number): void;
  /** Detaches the current connection. Returns its socket, for the server to close, if no other user shares it; otherwise null. */
  release(): Socket | null;
  /** Closes connections that are not shared and drops the request without a report. */
  close(): void;
}

/** Time limits of one request in microseconds. The first to pass ends the request. */
export interface TimeLimits {
  /** From the start of the connection attempt until it is established, including TLS; Infinity if there is no limit. */
  readonly connectUs: number;
  /** From the written request to the first byte of the response; Infinity if there is no limit. */
  readonly firstByteUs: number;
  /** From the start, including connecting, to the last byte. */
  readonly totalUs: number;
}

export function minLimitUs({ connectUs, firstByteUs, totalUs }: TimeLimits): number {
  return Math.min(connectUs, firstByteUs, totalUs);
}
