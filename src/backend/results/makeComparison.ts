import type { z } from 'zod';
import type { Calls } from '#contract/api.ts';
import { comparedRunOf } from '#core/comparison/comparedRun.ts';
import { compareSides } from '#core/comparison/compareSides.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { sideNames } from '#core/comparison/sideNames.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { RunResult } from '#core/result/schema.ts';

type Asked = z.output<Calls['comparisons.make']['input']>;

/**
 * Lays stored runs side by side. Results are read one at a time, and only what is compared of each is kept.
 * @param runResult Throws `NO_SUCH_RUN`.
 */
export function makeComparison({ sides, asked }: Asked, runResult: (runId: string) => RunResult): Comparison {
  mustBeDifferent(sides.flatMap(({ runIds }) => runIds));
  const read = sides.map(({ name, runIds }) => ({
    name,
    runs: runIds.map((runId) => comparedRunOf(runResult(runId))).toSorted((one, other) => one.startedAt.localeCompare(other.startedAt)),
  }));
  const names = sideNames(read);
  return compareSides(
    read.map(({ runs }, index) => ({ name: names[index] ?? '', runs })),
    asked,
  );
}

function mustBeDifferent(runIds: readonly string[]): void {
  const twice = runIds.find((id, index) => runIds.indexOf(id) !== index);
  if (twice === undefined) return;
  throw new HoldfastError({
    code: 'SAME_RUN',
    message: `The run ${twice} is named twice.`,
    hint: 'A run can only be compared with others: name it once.',
  });
}
