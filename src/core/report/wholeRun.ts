import type { RunResult } from './result.ts';

type Counts = Record<string, number>;

/** Answers by status of all stages, warm-up included: what belongs beside the ledger, which is of the whole run too. */
export function statusOfRun({ stages }: Pick<RunResult, 'stages'>): Counts {
  return summed(stages.map(({ status }) => status));
}

/** Requests without a complete answer by error, of all stages. */
export function errorsOfRun({ stages }: Pick<RunResult, 'stages'>): Counts {
  return summed(stages.map(({ errors }) => errors));
}

function summed(counts: readonly Readonly<Counts>[]): Counts {
  const sum: Counts = {};
  for (const some of counts) for (const [name, count] of Object.entries(some)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
