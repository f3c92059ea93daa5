import { addCounts, type Counts } from '#core/base/counts.ts';
import { addNames } from '#core/base/foreignNames.ts';
import type { RunResult } from './schema.ts';

/** Answers by status of all stages, warm-up and start-up of users included: what belongs beside the ledger, which is of the whole run too. */
export function statusOfRun({ stages }: Pick<RunResult, 'stages'>): Counts {
  return addCounts(stages.flatMap(({ status, startUp }) => (startUp === null ? [status] : [status, startUp.status])));
}

/** Requests without a complete answer by error, and answers that failed a check by the check, of all stages. */
export function errorsOfRun({ stages }: Pick<RunResult, 'stages'>): Counts {
  return addNames(stages.flatMap(({ errors, startUp }) => (startUp === null ? [errors] : [errors, startUp.errors])));
}

/** The steps, and of redirects and what pages link to only what there was: pages without fonts need no line about fonts. */
export function occurring<Figures extends Pick<RunResult['steps'][number], 'requests'>>(
  { plan }: Pick<RunResult, 'plan'>,
  steps: readonly Figures[],
): Figures[] {
  const measured = plan.journey.filter((step) => step.measured !== false).length;
  return steps.filter(({ requests }, index) => index < measured || requests.sent > 0);
}
