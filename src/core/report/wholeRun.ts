import { addCounts } from '../addCounts.ts';
import type { RunResult } from './result.ts';

type Counts = Record<string, number>;

/** Answers by status of all stages, warm-up and start-up of users included: what belongs beside the ledger, which is of the whole run too. */
export function statusOfRun({ stages }: Pick<RunResult, 'stages'>): Counts {
  return addCounts(stages.flatMap(({ status, startUp }) => (startUp === null ? [status] : [status, startUp.status])));
}

/** Requests without a complete answer by error, and answers that failed a check by the check, of all stages. */
export function errorsOfRun({ stages }: Pick<RunResult, 'stages'>): Counts {
  return addCounts(stages.flatMap(({ errors, startUp }) => (startUp === null ? [errors] : [errors, startUp.errors])));
}
