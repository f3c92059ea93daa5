import { secondsOf, uncountedSecondsOf } from '#core/work/load/stages.ts';
import { stageName } from '#core/plan/names.ts';
import { objectivesOf } from '#core/plan/objectives.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatMs, formatNumber } from '#core/base/units.ts';
import type { Limit, StageBand } from './types.ts';
import { chartNames } from './names.ts';

/** What the plan asks of the two big charts, each value once. */
export function limitsOf(plan: Plan): { readonly throughput: readonly Limit[]; readonly latency: readonly Limit[] } {
  const throughput = new Map<number, Limit>();
  const latency = new Map<number, Limit>();
  for (const objective of objectivesOf(plan)) {
    if (objective.kind === 'throughput')
      throughput.set(objective.minPerSecond, {
        value: objective.minPerSecond,
        label: chartNames.atLeast(`${formatNumber(objective.minPerSecond)}/s`),
      });
    if (objective.kind === 'responseTime')
      latency.set(objective.limitMs, { value: objective.limitMs, label: chartNames.limit(formatMs(objective.limitMs)) });
  }
  return { throughput: [...throughput.values()], latency: [...latency.values()] };
}

/** How many may wait at once, where the plan limits it. */
export function waitingLimits({ load }: Plan): readonly Limit[] {
  if (load.model !== 'arrivals') return [];
  return [{ value: load.maxInFlight, label: chartNames.atMost(formatCount(load.maxInFlight)) }];
}

/** When each stage is going to be, as far as the plan tells: up to the first stage that ends by a number of requests. */
export function plannedStages(plan: Plan): StageBand[] {
  const bands: StageBand[] = [];
  let from = 0;
  for (const [index, stage] of plan.load.stages.entries()) {
    const seconds = secondsOf(stage);
    if (seconds === null) break;
    const counting = from + uncountedSecondsOf(stage);
    if (counting > from) bands.push({ name: chartNames.startUp, from, to: counting, counted: false });
    bands.push({ name: stageName(plan, index), from: counting, to: from + seconds, counted: stage.counted });
    from += seconds;
  }
  return bands;
}
