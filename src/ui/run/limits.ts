import { secondsOf } from '#core/load/stages.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema.ts';
import { formatMs, formatNumber } from '#core/units.ts';
import type { Limit, StageBand } from '../charts/types.ts';
import { words } from '../words/words.ts';

/** What the plan asks of the two big charts, each value once. */
export function limitsOf(plan: Plan): { readonly throughput: readonly Limit[]; readonly latency: readonly Limit[] } {
  const throughput = new Map<number, Limit>();
  const latency = new Map<number, Limit>();
  for (const objective of plan.objectives) {
    if (objective.kind === 'throughput')
      throughput.set(objective.minPerSecond, {
        value: objective.minPerSecond,
        label: words.charts.atLeast(`${formatNumber(objective.minPerSecond)}/s`),
      });
    if (objective.kind === 'responseTime')
      latency.set(objective.limitMs, { value: objective.limitMs, label: words.charts.limit(formatMs(objective.limitMs)) });
  }
  return { throughput: [...throughput.values()], latency: [...latency.values()] };
}

/** When each stage is going to be, as far as the plan tells: up to the first stage that ends by a number of requests. */
export function plannedStages(plan: Plan): StageBand[] {
  const bands: StageBand[] = [];
  let from = 0;
  for (const [index, stage] of plan.load.stages.entries()) {
    const seconds = secondsOf(stage);
    if (seconds === null) break;
    bands.push({ name: stageName(plan, index), from, to: from + seconds, counted: stage.counted });
    from += seconds;
  }
  return bands;
}
