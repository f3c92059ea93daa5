import type { RunResult } from '#core/result/schema.ts';
import { conditionsOf, type Condition } from './conditions.ts';
import { figuresOfRun } from './figures.ts';
import type { Figure } from './schema.ts';
import type { Comparison } from './schema.ts';

/** What a comparison needs of a run: little, so that many can be held at once. */
export interface ComparedRun extends Readonly<Comparison['sides'][number]['runs'][number]> {
  readonly figures: readonly Figure[];
  readonly conditions: readonly Condition[];
}

/** Runs that stand together: repeats of the same thing. */
export interface ComparedSide {
  readonly name: string;
  readonly runs: readonly ComparedRun[];
}

export function comparedRunOf(result: RunResult): ComparedRun {
  const { id, name, startedAt, note, state, endedBecause } = result.run;
  return {
    id,
    name,
    startedAt,
    note,
    outcome: result.verdict.outcome,
    leftOut: endedBecause?.text ?? (state === 'finished' ? null : 'It did not run to its end.'),
    sickSeconds: result.generators.reduce((sum, { sickSeconds }) => sum + sickSeconds, 0),
    figures: figuresOfRun(result),
    conditions: conditionsOf(result),
  };
}
