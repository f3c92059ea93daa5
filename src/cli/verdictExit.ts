import type { RunResult } from '#core/result/schema.ts';
import { EXIT, type ExitCode } from './exitCodes.ts';

/** The exit code that says how a run ended. Who stopped it comes before what was measured until then. */
export function exitCodeOf({ run, verdict }: Pick<RunResult, 'run' | 'verdict'>): ExitCode {
  const stoppedBy = run.endedBecause?.code;
  switch (stoppedBy) {
    case 'user':
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
    case 'holds':
    case 'measured':
      return EXIT.fine;
    case 'breaks':
      return EXIT.objectivesMissed;
    case 'inconclusive':
      return EXIT.inconclusive;
    default:
      return verdict.outcome satisfies never;
  }
}
