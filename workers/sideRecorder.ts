import { addCount } from '#core/base/counts.ts';
import { addName } from '#core/base/foreignNames.ts';
import type { SideCell } from '#core/measurement/window.ts';
import type { FailedOutcome, Phase } from './errorClass.ts';
import { type Answer, outcomeOfAnswer, type RequestRecorder } from './requestRecorder.ts';

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
    const error = answer.failedCheck ?? `status ${answer.status}`;
    addName(cell.errors, error);
  }

  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase): void {
    const { outcomes, errors } = this.cellAt(step, atUs);
    addCount(outcomes, outcome);
    addCount(errors, `${code}@${phase}`);
  }

  bytesSent(): void {}
  bytesReceived(): void {}
  connectionOpened(): void {}
  secured(): void {}
}
