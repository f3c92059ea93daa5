import { addCount } from '#core/base/counts.ts';
import { addName } from '#core/base/foreignNames.ts';
import type { SideCell } from '#core/measurement/window.ts';
import { errorName, type Phase, statusName } from '#core/base/errorNames.ts';
import type { FailedOutcome } from './errorClass.ts';
import type { AnswerOutcome } from './hotCell.ts';

/**
 * A complete answer. Times are in microseconds: `serviceUs` from the actual start and `responseUs` from the intended one to the last
 * byte, `firstByteUs` from when the request was written, `transferUs` from the first byte to the last.
 */
export interface Answer {
  status: number;
  /** Its status counts as good. */
  expected: boolean;
  /** Name of the check that its body failed, as it is counted among the errors; null when none did. */
  failedCheck: string | null;
  /** At least one check of the body could not be made, since there was no room to keep the body. */
  isUnchecked: boolean;
  serviceUs: number;
  responseUs: number;
  firstByteUs: number;
  transferUs: number;
  bodyBytes: number;
  onReusedConnection: boolean;
  /** Which of several servers gave it; null where one does all the work. */
  server: string | null;
  /** Whether its headers say that it came from a cache, or that it did not; null where they say neither or nobody asks. */
  fromCache: boolean | null;
  /** A poll that is sent again: the result has not come. */
  isStillWaiting: boolean;
  /** How long a result was polled for that has come with it; null when none has. */
  waitedUs: number | null;
  /** All answers of its kind should be as long as the first one. */
  comparesLength: boolean;
}

/** An answer to fill in, again and again: one for each connection, so that recording allocates nothing. */
export function newAnswer(): Answer {
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
    comparesLength: true,
  };
}

/** What is told of a single request. */
export interface RequestRecorder {
  requestStarted(step: number, atUs: number): void;
  /** A result is polled for from now on. */
  waitBegan(step: number, atUs: number): void;
  bytesSent(step: number, bytes: number): void;
  bytesReceived(step: number, bytes: number, atUs: number): void;
  /** The host name was looked up for a connection that a request waited for. */
  nameResolved(step: number, atUs: number, lookupUs: number): void;
  connectionOpened(step: number, atUs: number, connectUs: number): void;
  /** Sent again over another connection: the server had not begun it. */
  requestResent(step: number, atUs: number): void;
  /** `isResumed`: the handshake took up the session of an earlier connection. */
  secured(step: number, atUs: number, tlsUs: number, isResumed: boolean): void;
  requestAnswered(step: number, atUs: number, answer: Readonly<Answer>): void;
  /** `server`: which of several it was sent to; null or left out where one does all the work. */
  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase, server?: string | null): void;
}

export function outcomeOfAnswer({ expected, failedCheck }: Readonly<Answer>): AnswerOutcome {
  if (!expected) return 'httpError';
  return failedCheck === null ? 'ok' : 'wrongBody';
}

/** Where side calls are counted: how many there were and what became of them, and nothing else. */
export class SideRecorder implements RequestRecorder {
  private readonly cellAt: (step: number, atUs: number) => SideCell;

  /** `cellAt`: the counts of a step in the window of an instant. */
  constructor(cellAt: (step: number, atUs: number) => SideCell) {
    this.cellAt = cellAt;
  }

  requestStarted(step: number, atUs: number): void {
    this.cellAt(step, atUs).started += 1;
  }

  requestAnswered(step: number, atUs: number, answer: Readonly<Answer>): void {
    const cell = this.cellAt(step, atUs);
    const outcome = outcomeOfAnswer(answer);
    addCount(cell.outcomes, outcome);
    if (outcome === 'ok') return;
    const error = answer.failedCheck ?? statusName(answer.status);
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
