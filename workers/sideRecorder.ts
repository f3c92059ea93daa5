import { addCount } from '#core/base/lists.ts';
import { addName } from '#core/base/foreignNames.ts';
import type { SideCell } from '#core/measurement/window.ts';
import { errorName, type Phase, statusName } from '#core/base/errorNames.ts';
import type { FailedOutcome } from './errorClass.ts';
import type { ResponseOutcome } from './hotCell.ts';

/**
 * A complete response. Times are in microseconds up to the last byte: `serviceUs` from the actual start, `responseUs` from the planned
 * start, `transferUs` from the first byte. `firstByteUs` is the time from the written request to the first byte.
 */
export interface Response {
  status: number;
  /** Whether the status counts as successful. */
  expected: boolean;
  /** Error name of the failed body check; null if there is none. */
  failedCheck: string | null;
  /** Whether a body check was skipped because there was no room to keep the body. */
  isUnchecked: boolean;
  serviceUs: number;
  responseUs: number;
  firstByteUs: number;
  transferUs: number;
  bodyBytes: number;
  onReusedConnection: boolean;
  /** Server of the response; null if there is only one server. */
  server: string | null;
  /** Whether a cache sent the response; null if its headers do not state it or the plan does not ask for it. */
  fromCache: boolean | null;
  /** Whether it is a poll without a result, which is repeated. */
  isStillWaiting: boolean;
  /** Waiting time for a polled result that arrived with this response; otherwise null. */
  waitedUs: number | null;
  /** Age of the user's login if the step is refused for the first time after successes with this login; otherwise null. */
  sessionAgeUs: number | null;
  /** Whether the user got one of a limited number of places; null if the step offers none. */
  place: 'given' | 'refused' | null;
  /** Time from the start of the load to the first bell, at which the times of places begin. */
  firstBellUs: number;
  /** Whether the length is compared with the first response of the same step. */
  comparesLength: boolean;
}

/** Returns a response record that is used again for each response. There is one per connection, which avoids allocations. */
export function newResponse(): Response {
  return {
    status: 0,
    expected: false,
    failedCheck: null,
    isUnchecked: false,
    serviceUs: 0,
    responseUs: 0,
    firstByteUs: 0,
    transferUs: 0,
    bodyBytes: 0,
    onReusedConnection: false,
    server: null,
    fromCache: null,
    isStillWaiting: false,
    waitedUs: null,
    sessionAgeUs: null,
    place: null,
    firstBellUs: 0,
    comparesLength: true,
  };
}

/** Receives the events of single requests. */
export interface RequestRecorder {
  requestStarted(step: number, atUs: number): void;
  /** Called when polling for a result begins. */
  waitBegan(step: number, atUs: number): void;
  bytesSent(step: number, bytes: number): void;
  bytesReceived(step: number, bytes: number, atUs: number): void;
  /** Called when a host name was looked up for a connection that a request waited for. */
  nameResolved(step: number, atUs: number, lookupUs: number): void;
  connectionOpened(step: number, atUs: number, connectUs: number): void;
  /**
   * Called when the request was sent again on another connection, because the server had not processed it, or had closed the connection
   * before it responded.
   */
  requestResent(step: number, atUs: number): void;
  /** Called when a TLS handshake is complete. `isResumed`: whether it resumed an earlier session. */
  secured(step: number, atUs: number, tlsUs: number, isResumed: boolean): void;
  requestCompleted(step: number, atUs: number, response: Readonly<Response>): void;
  /** Called when a request has failed. `server` is the server of the request; null or left out if there is only one server. */
  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase, server?: string | null): void;
}

export function toOutcome({ expected, failedCheck }: Readonly<Response>): ResponseOutcome {
  if (!expected) return 'httpError';
  return failedCheck === null ? 'ok' : 'wrongBody';
}

/** Counts only the number and the outcomes of side calls. */
export class SideRecorder implements RequestRecorder {
  private readonly cellAt: (step: number, atUs: number) => SideCell;

  /** `cellAt` returns the counts of a step in the window at a time. */
  constructor(cellAt: (step: number, atUs: number) => SideCell) {
    this.cellAt = cellAt;
  }

  requestStarted(step: number, atUs: number): void {
    this.cellAt(step, atUs).started += 1;
  }

  requestCompleted(step: number, atUs: number, response: Readonly<Response>): void {
    const cell = this.cellAt(step, atUs);
    const outcome = toOutcome(response);
    addCount(cell.outcomes, outcome);
    if (outcome === 'ok') return;
    const error = response.failedCheck ?? statusName(response.status);
    addName(cell.errors, error);
  }

  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase): void {
    const { outcomes, errors } = this.cellAt(step, atUs);
    addCount(outcomes, outcome);
    addCount(errors, errorName(code, phase));
  }

  waitBegan(): void {}
  bytesSent(): void {}
  bytesReceived(): void {}
  nameResolved(): void {}
  connectionOpened(): void {}
  requestResent(): void {}

  secured(): void {}
}
