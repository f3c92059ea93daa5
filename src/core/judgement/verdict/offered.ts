import { isSingleRequest } from '#core/work/journey/flow/takings.ts';
import { plannedAsMade, plannedJourneysOf } from '#core/work/load/planned.ts';
import { rateAt } from '#core/work/load/rateCurve.ts';
import { scheduleOf } from '#core/work/load/arrivals.ts';
import { isSteady, levelOf, maxInFlightOf } from '#core/work/load/stages.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { lateGeneratorNames } from '#core/result/generatorNames.ts';
import type { CriterionResult } from '#core/result/schema.ts';
import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import type { JudgeInput } from './input.ts';

/** Outcomes of the arrivals that an open model planned for a stage. */
export interface Offered {
  readonly planned: number;
  readonly begun: number;
  readonly notStartedTarget: number;
  readonly notStartedGenerator: number;
}

/** Returns null for a closed model, which plans no arrivals. */
export function offeredIn({ plan, evidence }: JudgeInput, stage: number): Offered | null {
  const scheduled = plannedJourneysOf(plan, stage);
  if (plan.load.model !== 'arrivals' || scheduled === null) return null;
  const { journeysStarted, notStartedTarget, notStartedGenerator } = evidence.journeysOf(stage);
  const planned = plannedAsMade(plan, scheduled, journeysStarted + notStartedTarget + notStartedGenerator, 1);
  return { planned, begun: journeysStarted, notStartedTarget, notStartedGenerator };
}

/** Says why a full cap kept arrivals from starting: “because 10,000 requests were in flight”. */
export function capWords(plan: Plan, stage: number): string {
  const { load } = plan;
  const found = load.stages[stage];
  if (load.model !== 'arrivals' || found === undefined || !('kind' in found)) return 'because too many responses were outstanding';
  const cap = maxInFlightOf(load, found);
  const [one, many] = isSingleRequest(plan)
    ? ['request was in flight', 'requests were in flight']
    : ['journey was in progress', 'journeys were in progress'];
  return `because ${formatCount(cap)} ${cap === 1 ? one : many}`;
}

/** A violation that consists mostly of arrivals that could not start because of outstanding responses. */
export interface Owed {
  readonly notBegun: number;
  /** Share of the arrivals due from the second at which the criterion began to fail. */
  readonly share: number;
}

/** Returns the arrivals that could not start if they are at least half of what was over the limit; otherwise null. */
export function owedIn(
  { criterion, fromSecond, over }: CriterionResult,
  { evidence }: JudgeInput,
  stage: number,
  step: number,
): Owed | null {
  if (step !== evidence.firstStep || criterion.kind === 'throughput') return null;
  const { blocks, notStartedTarget } = evidence.of(stage, step);
  if (notStartedTarget === 0 || (over !== null && notStartedTarget * 2 < over)) return null;
  const since = blocks.filter(({ second }) => second >= (fromSecond ?? 0));
  const notBegun = since.reduce((sum, block) => sum + block.notStartedTarget, 0);
  const due = since.reduce((sum, block) => sum + block.started + block.notStartedTarget + block.notStartedGenerator, 0);
  return due === 0 || notBegun === 0 ? null : { notBegun, share: notBegun / due };
}

/** Example: “37 % of arrivals could not start because 10,000 requests were in flight”. */
export function owedWords({ share }: Owed, plan: Plan, stage: number): string {
  return `${formatPercent(share)} of arrivals could not start ${capWords(plan, stage)}`;
}

/** Explains why fewer arrivals started than planned, one sentence per affected stage. */
export function notOfferedWords(input: JudgeInput, stages: readonly number[]): string[] {
  return stages.flatMap((stage) => {
    const offered = offeredIn(input, stage);
    if (offered === null || offered.begun >= offered.planned) return [];
    const { planned, begun, notStartedTarget: owed, notStartedGenerator: own } = offered;
    const name = input.plan.load.stages.length > 1 ? `“${stageName(input.plan, stage)}”: ` : '';
    const causes = [
      owed > 0 ? `${formatCount(owed)} could not ${capWords(input.plan, stage)}` : '',
      own > 0 ? `${formatCount(own)} could not because ${lateGeneratorNames(input.generators)} sent too slowly` : '',
    ].filter((cause) => cause !== '');
    const because = causes.length === 0 ? '' : `; ${causes.join('; ')}`;
    return [
      `${name}${formatCount(begun)} of ${formatCount(planned)} planned arrivals started (${formatPercent(begun / planned)})${because}.`,
    ];
  });
}

/** Names the arrival rate at a second if it changes within the stage: “ (33 a second)”. */
export function rateWordsAt(plan: Plan, stage: number, second: number | null): string {
  const found = plan.load.stages[stage];
  const schedule = scheduleOf(plan);
  if (schedule === null || found === undefined || second === null) return '';
  return isSteady(levelOf(found)) ? '' : ` (${formatNumber(rateAt(schedule.curve, second))} a second)`;
}
