import { addCounts, type Counts } from '#core/base/lists.ts';
import { addNames } from '#core/base/foreignNames.ts';
import type { RunResult } from './schema.ts';

/** Counts responses by status over all stages, warm-up and start-up of users included, like the request outcomes of the run. */
export function statusOfRun({ stages }: Pick<RunResult, 'stages'>): Counts {
  return addCounts(stages.flatMap(({ status, startUp }) => (startUp === null ? [status] : [status, startUp.status])));
}

/** Counts failures without a complete response by error, and responses with a failed check by check, over all stages. */
export function errorsOfRun({ stages }: Pick<RunResult, 'stages'>): Counts {
  return addNames(stages.flatMap(({ errors, startUp }) => (startUp === null ? [errors] : [errors, startUp.errors])));
}

/** Returns the steps. Redirects and kinds of resources are included only if some occurred. */
export function omitUnused<Figures extends Pick<RunResult['steps'][number], 'requests'>>(
  { plan }: Pick<RunResult, 'plan'>,
  steps: readonly Figures[],
): Figures[] {
  const measured = plan.journey.filter((step) => step.measured !== false).length;
  return steps.filter(({ requests }, index) => index < measured || requests.sent > 0);
}
