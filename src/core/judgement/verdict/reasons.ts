import { capitalize } from '#core/base/text.ts';
import { listJudgedStages, stageName } from '#core/plan/names.ts';
import { isSteady, levelOf, maxInFlightOf } from '#core/work/load/stages.ts';
import { capitalizeStart, joinNames } from '#core/plan/hosts/generatorNames.ts';
import { formatLateNames, OVERLOAD_WORDS, formatOverload } from '#core/result/generatorNames.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatPercentile, formatSeconds } from '#core/base/units.ts';
import type { JudgeInput } from './input.ts';
import { listNeverWorked, formatNeverWorked } from './items.ts';
import { formatNotSeen } from './notJudged.ts';
import { storageReason } from './storage.ts';
import { uncapitalize } from './labels.ts';
import { isSingleRequest } from '#core/work/journey/flow/executions.ts';
import { correctPlanned, findPlannedJourneys } from '#core/work/load/planned.ts';
import { rateAt } from '#core/work/load/rateCurve.ts';
import { planSchedule } from '#core/work/load/arrivals.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Verdict, CriterionResult } from '#core/result/verdict.ts';

type Reason = Verdict['reasons'][number];

export const NOT_SEEN_CODE = 'time.notSeen';
/** Code of the reason that says how long load generators were overloaded. */
export const OVERLOADED_CODE = 'generator.overloaded';

const OUTCOME_ORDER: Readonly<Record<CriterionResult['outcome'], number>> = { failed: 0, unknown: 1, passed: 2 };

/** Maximum number of steps named in a sentence. */
const MAX_NAMED = 4;

/** Returns the reasons of the verdict. What decided it comes first; what it does not cover comes last. */
export function listReasons(
  criteria: readonly CriterionResult[],
  notSeen: Verdict['notSeen'],
  input: JudgeInput,
  storage?: Verdict['storage'],
): Reason[] {
  // A criterion that passed at the highest load is the most informative one. Plans list stages from low to high.
  const judged = [...criteria]
    .sort(
      (a, b) =>
        OUTCOME_ORDER[a.outcome] - OUTCOME_ORDER[b.outcome] ||
        (a.outcome === 'passed' ? levelOfStage(b, input) - levelOfStage(a, input) : 0),
    )
    .map(criterionReason);
  return [
    ...judged.filter((reason) => reason !== null),
    ...listDefaultPasses(criteria),
    ...[storageReason(storage)].filter((reason) => reason !== null),
    ...endReasons(input),
    ...listNeverWorkedReasons(input),
    ...listOfferedReasons(input),
    ...generatorReasons(input),
    ...listNotSeenReasons(notSeen),
  ];
}

/** Returns the highest load of the judged stage; 0 if the plan has no such stage. */
function levelOfStage({ stage }: CriterionResult, { plan }: JudgeInput): number {
  const found = plan.load.stages.find((_, index) => stageName(plan, index) === stage);
  return found === undefined ? 0 : levelOf(found).highest;
}

function criterionReason({ criterion, outcome, text, reason, isDefault }: CriterionResult): Reason | null {
  if (isDefault === true && outcome === 'passed') return null;
  return { code: `${criterion.kind}.${outcome}`, text: `${capitalize(text)}: ${uncapitalize(reason)}` };
}

/** Returns one sentence for all default criteria that passed, because a recorded journey has many steps. */
function listDefaultPasses(criteria: readonly CriterionResult[]): Reason[] {
  const passed = criteria.filter(({ isDefault, outcome }) => isDefault === true && outcome === 'passed');
  if (passed.length === 0) return [];
  const names = passed.flatMap(({ step }) => (step === null ? [] : [`“${step}”`]));
  const failed = passed.reduce((sum, { over }) => sum + (over ?? 0), 0);
  const which = names.length > MAX_NAMED ? `${formatCount(names.length)} steps without an error criterion of their own` : joinNames(names);
  return [
    {
      code: 'default.passed',
      text: `By default, at most 1 % may fail, and none of fewer than 100: ${which} passed, with ${failed === 0 ? 'no failure' : formatCount(failed)}${failed > 0 ? ` ${failed === 1 ? 'failure' : 'failures'}` : ''}.`,
    },
  ];
}

function listNotSeenReasons(notSeen: Verdict['notSeen']): Reason[] {
  return notSeen === undefined ? [] : [{ code: NOT_SEEN_CODE, text: formatNotSeen(notSeen) }];
}

function endReasons({ head, balances }: JudgeInput): Reason[] {
  const reasons: Reason[] = [];
  if (head.endedBecause) reasons.push({ code: `ended.${head.endedBecause.code}`, text: head.endedBecause.text });
  if (!balances) {
    reasons.push({ code: 'outcomes.unbalanced', text: 'Not every request is accounted for. That is a bug of Holdfast: report it.' });
  }
  return reasons;
}

function listNeverWorkedReasons(input: JudgeInput): Reason[] {
  return listNeverWorked(input).map((step) => ({ code: 'step.neverWorked', text: `${capitalize(formatNeverWorked(step))}.` }));
}

function listOfferedReasons(input: JudgeInput): Reason[] {
  return formatNotOffered(input, listJudgedStages(input.plan)).map((text) => ({ code: 'load.notOffered', text }));
}

function generatorReasons({ evidence, overload, generators }: JudgeInput): Reason[] {
  const reasons: Reason[] = generators.flatMap(({ name, lost }) =>
    lost === null
      ? []
      : [
          {
            code: 'generator.lost',
            text: `Degraded: ${name} was lost in second ${Math.floor(lost.second)}, together with its part of the load. ${lost.text}`,
          },
        ],
  );
  const { seconds, causes } = evidence.overload();
  if (seconds > 0) {
    const why = overload.causes.map(({ cause }) => OVERLOAD_WORDS[cause].what).join('; ');
    reasons.push({
      code: OVERLOADED_CODE,
      text: `${capitalizeStart(formatOverload(generators))} for ${formatSeconds(overload.seconds)}: ${why}.`,
    });
  }
  const { scheduleLag } = evidence;
  if (causes.includes('scheduleLag') && scheduleLag.totalCount > 0) {
    const p99 = milliseconds(valueAtRank(scheduleLag, percentileRank(99, scheduleLag.totalCount)));
    reasons.push({
      code: 'generator.late',
      text: `Requests started late: ${formatPercentile(99)} within ${formatMs(p99)} of their scheduled time.`,
    });
  }
  if (generators.some((generator) => generator.sharesMachineWithTarget)) {
    reasons.push({ code: 'generator.shared', text: 'Load generator and target ran on the same machine and shared its cores.' });
  }
  return reasons;
}

/** Outcomes of the arrivals that an open model planned for a stage. */
interface ArrivalOutcomes {
  readonly planned: number;
  readonly begun: number;
  readonly notStartedTarget: number;
  readonly notStartedGenerator: number;
}

/** Returns the outcomes of the arrivals of a stage; null for a closed model, which plans no arrivals. */
export function computeOffered({ plan, evidence }: JudgeInput, stage: number): ArrivalOutcomes | null {
  const scheduled = findPlannedJourneys(plan, stage);
  if (plan.load.model !== 'arrivals' || scheduled === null) return null;
  const { journeysStarted, notStartedTarget, notStartedGenerator } = evidence.journeyCounts(stage);
  const planned = correctPlanned(plan, scheduled, journeysStarted + notStartedTarget + notStartedGenerator, 1);
  return { planned, begun: journeysStarted, notStartedTarget, notStartedGenerator };
}

/** Returns why a full cap kept arrivals from starting: “because 10,000 requests were in flight”. */
export function formatCap(plan: Plan, stage: number): string {
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
interface OutstandingArrivals {
  readonly notBegun: number;
  /** Share of the arrivals that were due after the second at which the criterion began to fail. */
  readonly share: number;
}

/** Returns the arrivals that could not start; null unless they are at least half of what was over the limit. */
export function countOutstanding(
  { criterion, fromSecond, over }: CriterionResult,
  { evidence }: JudgeInput,
  stage: number,
  step: number,
): OutstandingArrivals | null {
  if (step !== evidence.firstStep || criterion.kind === 'throughput') return null;
  const { blocks, notStartedTarget } = evidence.of(stage, step);
  if (notStartedTarget === 0 || (over !== null && notStartedTarget * 2 < over)) return null;
  const laterBlocks = blocks.filter(({ second }) => second >= (fromSecond ?? 0));
  const notBegun = laterBlocks.reduce((sum, block) => sum + block.notStartedTarget, 0);
  const due = laterBlocks.reduce((sum, block) => sum + block.started + block.notStartedTarget + block.notStartedGenerator, 0);
  return due === 0 || notBegun === 0 ? null : { notBegun, share: notBegun / due };
}

/** Example: “37 % of arrivals could not start because 10,000 requests were in flight”. */
export function formatOutstanding({ share }: OutstandingArrivals, plan: Plan, stage: number): string {
  return `${formatPercent(share)} of arrivals could not start ${formatCap(plan, stage)}`;
}

/** Explains why fewer arrivals started than planned, one sentence per affected stage. */
export function formatNotOffered(input: JudgeInput, stages: readonly number[]): string[] {
  return stages.flatMap((stage) => {
    const offered = computeOffered(input, stage);
    if (offered === null || offered.begun >= offered.planned) return [];
    const { planned, begun, notStartedTarget: outstanding, notStartedGenerator: own } = offered;
    const name = input.plan.load.stages.length > 1 ? `“${stageName(input.plan, stage)}”: ` : '';
    const causes = [
      outstanding > 0 ? `${formatCount(outstanding)} could not ${formatCap(input.plan, stage)}` : '',
      own > 0 ? `${formatCount(own)} could not because ${formatLateNames(input.generators)} sent too slowly` : '',
    ].filter((cause) => cause !== '');
    const causesText = causes.length === 0 ? '' : `; ${causes.join('; ')}`;
    return [
      `${name}${formatCount(begun)} of ${formatCount(planned)} planned arrivals started (${formatPercent(begun / planned)})${causesText}.`,
    ];
  });
}

/** Names the arrival rate at a second if it changes within the stage: “ (33 a second)”. */
export function formatRateAt(plan: Plan, stage: number, second: number | null): string {
  const found = plan.load.stages[stage];
  const schedule = planSchedule(plan);
  if (schedule === null || found === undefined || second === null) return '';
  return isSteady(levelOf(found)) ? '' : ` (${formatNumber(rateAt(schedule.curve, second))} a second)`;
}
