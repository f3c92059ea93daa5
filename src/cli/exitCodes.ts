import type { Gate } from '#core/comparison/baseline.ts';
import type { RunResult } from '#core/result/schema.ts';

/** All exit codes of the command line, for scripts. A test compares them with the table in docs/cli.md. */
export const EXIT_CODES = {
  fine: { code: 0, meaning: 'Passed, or measured without pass criteria; for other commands: done.' },
  failed: { code: 1, meaning: 'The command was used wrongly, or an error occurred in Holdfast or around it.' },
  invalidPlan: { code: 2, meaning: 'The plan, the preset or the answers to its questions are invalid; every problem is listed.' },
  worse: { code: 94, meaning: 'A figure is worse than in the runs it was compared with, by more than noise and the tolerance.' },
  tryFailed: { code: 95, meaning: 'A trial walk of the journey failed.' },
  selfTestFailed: { code: 96, meaning: 'The self-test found a figure that differs from what its server knows.' },
  safetyStop: { code: 97, meaning: 'The run was stopped by a safety limit of its plan.' },
  inconclusive: { code: 98, meaning: 'Inconclusive: whether the pass criteria are met, or whether the run is as good as its baseline.' },
  criteriaFailed: { code: 99, meaning: 'At least one pass criterion failed. With --require-judged: or a step was not judged.' },
  stoppedByUser: { code: 130, meaning: 'You stopped it. What a run had measured is kept; of a self-test, nothing is.' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]['code'];

export const EXIT = {
  fine: EXIT_CODES.fine.code,
  failed: EXIT_CODES.failed.code,
  invalidPlan: EXIT_CODES.invalidPlan.code,
  worse: EXIT_CODES.worse.code,
  tryFailed: EXIT_CODES.tryFailed.code,
  selfTestFailed: EXIT_CODES.selfTestFailed.code,
  safetyStop: EXIT_CODES.safetyStop.code,
  inconclusive: EXIT_CODES.inconclusive.code,
  criteriaFailed: EXIT_CODES.criteriaFailed.code,
  stoppedByUser: EXIT_CODES.stoppedByUser.code,
} as const;

export const EXIT_OF_GATE: Readonly<Record<Gate, ExitCode>> = { worse: EXIT.worse, notWorse: EXIT.fine, notKnown: EXIT.inconclusive };

/** Returns the exit code for a run. The reason for an early end takes precedence over the verdict. */
export function toExitCode({ run, verdict }: Pick<RunResult, 'run' | 'verdict'>, requiresJudged = false): ExitCode {
  const stoppedBy = run.endedBecause?.code;
  switch (stoppedBy) {
    case 'user':
    case 'closed':
      return EXIT.stoppedByUser;
    case 'safety':
      return EXIT.safetyStop;
    case 'failure':
    case 'ownerGone':
      return EXIT.failed;
    case undefined:
      break;
    default:
      stoppedBy satisfies never;
  }
  switch (verdict.outcome) {
    case 'passed':
    case 'measured':
      return requiresJudged && (verdict.notJudged ?? []).length > 0 ? EXIT.criteriaFailed : EXIT.fine;
    case 'failed':
      return EXIT.criteriaFailed;
    case 'inconclusive':
      return EXIT.inconclusive;
    default:
      return verdict.outcome satisfies never;
  }
}
