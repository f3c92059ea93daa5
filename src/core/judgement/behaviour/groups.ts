import { recordedRequests } from '#core/plan/requests.ts';
import { isSteady, levelOf } from '#core/work/load/stages.ts';
import { judgedStages, stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { timeGroups } from '#core/measurement/groups.ts';
import type { Totals } from '#core/result/totals.ts';
import type { Groups } from '#core/result/behaviour.ts';

/**
 * Stages and steps whose times fall into several groups. Of stages under a constant load only: where the load changes, so do the times. Not of what pages
 * link to, which is many different things under one name.
 */
export function groupsOf(plan: Plan, totals: Totals): Groups[] {
  const steady = judgedStages(plan).filter((index) => {
    const stage = plan.load.stages[index];
    return stage !== undefined && isSteady(levelOf(stage));
  });
  return steady.flatMap((stage) =>
    recordedRequests(plan).flatMap(({ name, resource }, step): Groups[] => {
      if (resource !== null) return [];
      const { times } = totals.sum((cell) => cell.stage === stage && cell.step === step);
      const answers = timeGroups(times.serviceOk);
      const connects = timeGroups(times.connect);
      return answers.length < 2 && connects.length < 2 ? [] : [{ stage: stageName(plan, stage), step: name, answers, connects }];
    }),
  );
}
