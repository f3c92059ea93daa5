import { addNames } from '#core/base/foreignNames.ts';
import { causeOf } from '#core/judgement/diagnosis/causes.ts';
import type { Problem } from '#core/base/errors.ts';
import { ANSWERED } from '#core/measurement/cellFigures.ts';
import type { Window } from '#core/measurement/window.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';

const MIN_FAILURES = 50;
/** A server that is just being started again gets so much time. */
const MIN_SECONDS = 5;

/** Sees that no connection comes about from the start of a run on: nobody should wait for the end of a load that reaches nobody. */
export class NoAnswerGuard {
  private isOver = false;
  private failures: Record<string, number> = {};

  /** The problem to stop for; null as long as there is hope, and for good once anything was answered. */
  add(window: Window): Problem | null {
    if (this.isOver) return null;
    if (window.cells.some(({ outcomes }) => ANSWERED.some((outcome) => (outcomes[outcome] ?? 0) > 0))) {
      this.isOver = true;
      return null;
    }
    this.failures = addNames([this.failures, ...window.cells.map(({ errors }) => connectionFailures(errors))]);
    const failed = Object.values(this.failures).reduce((sum, count) => sum + count, 0);
    const seconds = window.second + window.width;
    if (failed < MIN_FAILURES || seconds < MIN_SECONDS) return null;
    this.isOver = true;
    const { name, sentence, remedy } = causeOf(this.failures);
    return {
      code: 'SAFETY_NOTHING_ANSWERED',
      message: `Stopped: not one of ${formatCount(failed)} connections came about in ${formatSeconds(seconds)} (${name}). ${sentence}`,
      hint: remedy,
    };
  }
}

/** Before a request could be sent. A server that wants a client certificate may say so only after the handshake (TLS 1.3). */
function connectionFailures(errors: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => /@(resolve|connect|tls)$|^ERR_(SSL|TLS)_/.test(name)));
}
