import type { SideCell } from '#core/stats/window.ts';
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
    cell.outcomes[outcome] = (cell.outcomes[outcome] ?? 0) + 1;
    if (outcome === 'ok') return;
    const error = answer.failedCheck ?? `status ${answer.status}`;
    cell.errors[error] = (cell.errors[error] ?? 0) + 1;
  }

  requestFailed(step: number, atUs: number, outcome: FailedOutcome, code: string, phase: Phase): void {
    const { outcomes, errors } = this.cellAt(step, atUs);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    errors[`${code}@${phase}`] = (errors[`${code}@${phase}`] ?? 0) + 1;
  }

  bytesSent(): void {}
  bytesReceived(): void {}
  connectionOpened(): void {}
  secured(): void {}
}
