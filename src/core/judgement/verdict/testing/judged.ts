import { secondsOf, countUncountedSeconds } from '#core/work/load/stages.ts';
import { listJudgedStages } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunHead, RunResult } from '#core/result/schema.ts';
import { type EngineEndFacts, findStageTime, StartTimes } from '#core/result/stageTimes.ts';
import { OverloadTally } from '#core/result/overload.ts';
import { computeStepFigures } from '#core/judgement/measuredRun.ts';
import { Totals } from '#core/result/totals.ts';
import { summarize } from '#core/statistics/latency.ts';
import type { Window } from '#core/measurement/window.ts';
import { Evidence, judge, type JudgeInput } from '../judge.ts';
import type { CriterionResult, Verdict } from '#core/result/verdict.ts';

export interface RunStory {
  readonly plan: Plan;
  readonly windows: readonly Window[];
  readonly state?: RunHead['state'];
  readonly endedBecause?: RunHead['endedBecause'];
  /** End of the run. By default, each stage lasts its planned seconds, one after the other, without a drain. */
  readonly end?: EngineEndFacts | null;
  readonly balances?: boolean;
  readonly generators?: RunResult['generators'];
  readonly events?: RunResult['events'];
}

/** Returns the verdict of a run described by windows. */
export function judged(story: RunStory): { criteria: CriterionResult[]; verdict: Verdict } {
  return judge(makeInput(story));
}

/** Returns the results of the plan's own criteria. */
export function ownCriteria(criteria: readonly CriterionResult[]): CriterionResult[] {
  return criteria.filter(({ isDefault }) => isDefault !== true);
}

/** Returns the verdict input of a run described by windows. */
export function makeInput(story: RunStory): JudgeInput {
  const { plan, windows, state = 'finished', endedBecause = null, balances = true, generators = [], events = [] } = story;
  const evidence = new Evidence(plan);
  const [starts, overload] = [new StartTimes(), new OverloadTally()];
  for (const window of windows) for (const tally of [evidence, starts, overload]) tally.add(window);
  const end = story.end === undefined ? endBySeconds(plan) : story.end;
  const stageTimes = plan.load.stages.map((_, stage) => findStageTime(plan, stage, end, starts.of(stage)));
  return {
    plan,
    head: { state, endedBecause },
    evidence,
    starts,
    stageTimes,
    overload: overload.overload(),
    // The value is computed on demand, because few tests use it and some judge a thousand runs.
    get p95() {
      return computeP95(plan, windows);
    },
    balances,
    generators,
    events,
  };
}

function computeP95(plan: Plan, windows: readonly Window[]): JudgeInput['p95'] {
  const totals = new Totals();
  for (const window of windows) totals.add(window);
  const judged = listJudgedStages(plan);
  const isJudged = ({ stage }: { readonly stage: number }): boolean => judged.includes(stage);
  const cell = totals.sum(isJudged);
  const { latency } = computeStepFigures(cell, totals.sumLoaded(isJudged), 0, null);
  return { requests: latency.errorAdjusted.p95, pages: summarize(cell.times.page, cell.times.pageFailed?.totalCount ?? 0).p95 };
}

/** Returns the end of a run in which each stage took its planned seconds (10 if it ends by requests). */
export function endBySeconds(plan: Plan, drainSeconds = 0): EngineEndFacts {
  let second = 0;
  const stages = plan.load.stages.map((stage) => {
    const startedAtSecond = second + countUncountedSeconds(stage);
    second += secondsOf(stage) ?? 10;
    return { startedAtSecond, endedAtSecond: second };
  });
  return {
    firstBodyLengths: plan.journey.map(() => null),
    serverSoftware: null,
    addresses: {},
    stages,
    endedAtSecond: second + drainSeconds,
  };
}

export function generatorWith(changes: Partial<RunResult['generators'][number]> = {}): RunResult['generators'][number] {
  return {
    name: 'this computer',
    hostname: 'here',
    platform: 'linux',
    cores: 2,
    memoryBytes: 8e9,
    nodeVersion: '24.0.0',
    threads: 1,
    engine: 'autocannon',
    engineVersion: '9.0.0',
    sharesMachineWithTarget: false,
    outgoingPorts: null,
    keptAwake: null,
    selfTest: null,
    lost: null,
    figures: null,
    overloadedSeconds: 0,
    readings: [],
    ...changes,
  };
}
