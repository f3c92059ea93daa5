import type { CallOutput } from '#contract/api.ts';
import { HERE, THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { isSameTest } from '#core/series/versions.ts';

/** What two runs bring along that are made enough: the test of the first, where each was sent, and where their load was made. */
export interface VersionsOfRuns {
  readonly plan: Plan;
  readonly a: readonly Target[];
  readonly b: readonly Target[];
  /** Undefined for this computer. */
  readonly on: string[] | undefined;
  /** Whether both were runs of one test; else the second version gets the test of the first. */
  readonly isSame: boolean;
}

type Result = Pick<CallOutput<'runs.result'>, 'plan' | 'generators'>;

/** The test of the first run, and both their addresses. Two runs of one address say nothing about where the other version is. */
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
