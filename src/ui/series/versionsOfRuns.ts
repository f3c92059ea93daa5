import type { CallOutput } from '#contract/api.ts';
import { HERE, THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { isSameTest } from '#core/series/noise.ts';

/** Input for repeating two runs as a comparison: the test of the first run, the targets of both, and the load generators. */
export interface VersionsOfRuns {
  readonly plan: Plan;
  readonly a: readonly Target[];
  readonly b: readonly Target[];
  /** Load generators; undefined if this computer is the only one. */
  readonly on: string[] | undefined;
  /** Whether both runs had the same test. If not, the test of the first run is used for both versions. */
  readonly isSame: boolean;
}

type Result = Pick<CallOutput<'runs.result'>, 'plan' | 'generators'>;

/** Returns the test of the first run and the targets of both. `b` is empty if both runs had the same address. */
export function versionsOfRuns({ plan, generators }: Result, { plan: other }: Pick<Result, 'plan'>): VersionsOfRuns {
  const on = generators.map(({ name }) => (name === THIS_COMPUTER ? HERE : name));
  const urls = ({ targets }: Plan): string => targets.map(({ url }) => url).join(' ');
  return {
    plan,
    a: plan.targets,
    b: urls(plan) === urls(other) ? [] : other.targets,
    on: on.every((name) => name === HERE) ? undefined : on,
    isSame: isSameTest(plan, other),
  };
}
