import type { Criterion, Plan } from '#core/plan/schema/plan.ts';
import { isRunning } from '#core/result/schema.ts';
import { minRequests, shareBounds } from '#core/statistics/bounds.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { generatorNames, formatOverloadedNames } from '#core/result/generatorNames.ts';
import { rateAt } from '#core/work/load/rateCurve.ts';
import { planSchedule } from '#core/work/load/arrivals.ts';
import { isSteady, levelOf, maxInFlightOf } from '#core/work/load/stages.ts';
import { journeysAtLimit } from '#core/work/load/planned.ts';
import { listCountedStages, stageName } from '#core/plan/names.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import type { JudgeInput } from './input.ts';
import { listNeverWorked } from './items.ts';
import { wasStoppedInWarmUp } from './sentence.ts';
import { setLimits, scaleLoad, lengthenPlan, setThreads, removeVisits, raiseMaxInFlight } from './otherPlans.ts';
import { formatAtLevel, findHighestLevel, formatLevel } from './labels.ts';
import { TRIED } from '#core/work/samples/schema.ts';
import type { CriterionResult, Verdict } from '#core/result/verdict.ts';

/** Maximum length of an advised run, as a multiple of the first run. */
const MAX_LONGER_FACTOR = 20;

/**
 * Returns the factor by which the number of requests must grow to probably decide every criterion with too few requests or too close a
 * result: 2 to 20.
 */
function lengthFactor(unknown: readonly CriterionResult[]): number {
  const factors = unknown.filter(({ unknownBecause }) => unknownBecause === 'tooFew' || unknownBecause === 'tooClose').map(lengthFactorFor);
  return Math.min(MAX_LONGER_FACTOR, Math.max(2, ...factors));
}

/**
 * Returns the smallest factor by which the number of requests must grow for every criterion to have enough if none is over the limit; 1 if
 * all have enough.
 */
function minLengthFactor(unknown: readonly CriterionResult[]): number {
  const factors = unknown.map(({ criterion, counted }) => {
    const allowance = findAllowance(criterion);
    return allowance === null || counted === null || counted === 0 ? 1 : Math.ceil(minRequests(allowance) / counted);
  });
  return Math.max(1, ...factors);
}

/** Returns the factor for one criterion, if the share over the limit and the clumping stay the same. */
function lengthFactorFor({ criterion, counted, over, shareHigh, shareLow }: CriterionResult): number {
  const allowance = findAllowance(criterion);
  if (allowance === null || counted === null || counted === 0 || over === null) return 2;
  const needed = minRequests(allowance) / counted;
  for (let factor = 2; factor < MAX_LONGER_FACTOR; factor += 1) {
    if (factor < needed) continue;
    const { low, high } = shareBounds(over * factor, counted * factor);
    const clumped = clumpingFactor(over, counted, shareLow, shareHigh);
    const share = over / counted;
    if (share + (high - share) * clumped <= allowance || share - (share - low) * clumped > allowance) return factor;
  }
  return MAX_LONGER_FACTOR;
}

/** Returns the ratio of the interval's width to that of independent requests: the square root of the design effect. */
function clumpingFactor(over: number, counted: number, shareLow: number | null, shareHigh: number | null): number {
  if (shareLow === null || shareHigh === null) return 1;
  const { low, high } = shareBounds(over, counted);
  return Math.max(1, (shareHigh - shareLow) / Math.max(high - low, Number.MIN_VALUE));
}

function findAllowance(criterion: Criterion): number | null {
  switch (criterion.kind) {
    case 'responseTime':
      return (100 - criterion.percentile) / 100;
    case 'errors':
      return criterion.maxShare;
    case 'throughput':
    case 'apdex':
      return null;
    default:
      return criterion satisfies never;
  }
}

type Act = Verdict['next'][number];

const LOAD_WORDS = { connections: 'connections', users: 'users', arrivals: 'arrivals a second' } as const;

/** Share of overloaded seconds from which a load generator is unfit for more load. */
const MIN_UNFIT_SHARE = 0.1;

/** Returns the advised next actions, the best first, each with a plan if one would settle the question. */
export function listNextActs(outcome: Verdict['outcome'], criteria: readonly CriterionResult[], input: JudgeInput): Act[] {
  if (isRunning(input.head.state)) return [];
  switch (outcome) {
    case 'passed':
      // More load would show only the limit of an overloaded generator.
      if (input.evidence.overload().share >= MIN_UNFIT_SHARE) return [suggestOtherMachine(input)];
      return [correctFirst(input) ?? suggestMoreLoad(input)];
    case 'failed':
      return [
        ...tryOnceActs(input),
        raiseCap(input),
        ...(correctFirst(input) === null
          ? [listNeverWorked(input).length > 0 ? null : suggestLessLoad(criteria, input), changeServerAct(input)]
          : [correctFirst(input)]),
      ].filter(isAct);
    case 'inconclusive':
      return settle(criteria, input);
    case 'measured':
      return [
        act(
          'setLimits',
          'Set pass criteria and run it again',
          'With pass criteria you get a yes or no. These start with 95 % of responses within 1 s and at most 1 % of requests failing.',
          setLimits(input.plan),
        ),
      ];
    default:
      return outcome satisfies never;
  }
}

function changeServerAct({ plan }: JudgeInput): Act {
  return act('runAgain', 'Change the server and run it again', 'The same plan shows whether the change helped.', plan);
}

/** Returns the advice to send one request. Less load does not repair a step that never succeeded. */
function tryOnceActs(input: JudgeInput): Act[] {
  const [stuck] = listNeverWorked(input);
  if (stuck === undefined) return [];
  return [act('tryOnce', TRIED.title, `It shows the response to “${stuck.name}” and why it does not count as successful.`, null)];
}

/** Returns the actions for each cause of an inconclusive result, without duplicates. */
function settle(criteria: readonly CriterionResult[], input: JudgeInput): Act[] {
  const unknown = criteria.filter(({ outcome }) => outcome === 'unknown');
  const causes = [...new Set(unknown.map(({ unknownBecause }) => unknownBecause ?? 'notMeasured'))];
  if (causes.length === 0) causes.push('notMeasured');
  if (wasStoppedInWarmUp(input)) return listActsFor('interrupted', unknown, input);
  return causes
    .flatMap((cause) => listActsFor(cause, unknown, input))
    .filter((a, index, all) => all.findIndex((b) => b.kind === a.kind) === index);
}

function listActsFor(cause: NonNullable<CriterionResult['unknownBecause']>, unknown: readonly CriterionResult[], input: JudgeInput): Act[] {
  switch (cause) {
    case 'tooFew':
    case 'tooClose':
      return lengthActs(unknown, input.plan);
    case 'generator':
    case 'notOffered':
      return generatorActs(input);
    case 'interrupted':
      return [act('runAgain', 'Run it again to the end', 'Only a complete run can pass.', input.plan)];
    case 'notThere':
      return [act('tryOnce', TRIED.title, 'It shows the response to each step. Correct the path of the step, then run it again.', null)];
    case 'notMeasured':
      return [act('probe', 'Send one request first', 'Nothing was measured. Check that the address responds before you load it.', null)];
    default:
      return cause satisfies never;
  }
}

function lengthActs(unknown: readonly CriterionResult[], plan: Plan): Act[] {
  const growing = unknown.filter(({ criterion }) => growsWithTime(criterion, plan));
  const fixed = unknown.filter(({ criterion }) => !growsWithTime(criterion, plan));
  return [fixed.length > 0 ? suggestMoreUsers(fixed, plan) : null, growing.length > 0 ? measureLonger(growing, plan) : null].filter(isAct);
}

/** Returns whether a longer run sends more requests. A listener that keeps its stream until the end sends no more. */
function growsWithTime(criterion: Criterion, { journey, load }: Plan): boolean {
  const stays = journey.some(({ stream }) => stream !== undefined && stream.beside !== true && stream.seconds === undefined);
  const isOfEvents = 'of' in criterion && criterion.of === 'events';
  return isOfEvents || load.model === 'arrivals' || !stays;
}

function suggestMoreUsers(unknown: readonly CriterionResult[], plan: Plan): Act | null {
  const factor = lengthFactor(unknown);
  const more = scaleLoad(plan, factor);
  return (
    more &&
    act(
      'moreUsers',
      `Run it with ${formatLevel(findHighestLevel(more))}`,
      'Each user holds one stream to the end of the load, so a longer test counts no more of them.',
      more,
    )
  );
}

function measureLonger(unknown: readonly CriterionResult[], plan: Plan): Act {
  const factor = lengthFactor(unknown);
  const title = `Measure ${factor === 2 ? 'twice' : `${formatCount(factor)} times`} as long`;
  return act('measureLonger', title, formatLonger(factor, minLengthFactor(unknown)), lengthenPlan(plan, factor));
}

function formatLonger(factor: number, least: number): string {
  if (least > MAX_LONGER_FACTOR)
    return `The strictest pass criterion needs more: at least ${formatCount(least)} times as many requests. Run it even longer, or allow a larger share.`;
  const enough = 'That is about the number of requests needed to decide.';
  return factor < MAX_LONGER_FACTOR
    ? enough
    : `${enough} It may still be too close to call: the criterion may be exactly what the server does.`;
}

function generatorActs(input: JudgeInput): Act[] {
  const { plan, generators, evidence } = input;
  const acts: Act[] = [];
  const { causes } = evidence.overload();
  // All generators have the same number of threads, so the weakest one determines the maximum.
  const cores = Math.min(...generators.map((generator) => generator.cores));
  if (generators.length > 0 && generators.every(({ threads }) => threads < cores) && causes.includes('threadCpu')) {
    acts.push(
      act(
        'moreThreads',
        `Use ${cores} threads`,
        `One thread was busy all the time while ${formatOverloadedNames(generators, 'threadCpu')} had idle cores.`,
        setThreads(plan, cores),
      ),
    );
  }
  if (causes.includes('browser')) {
    acts.push(
      act(
        'withoutVisits',
        'Run it without watched pages',
        'Without a browser the load has this computer to itself. Pass criteria of visits are left out.',
        removeVisits(plan),
      ),
    );
  }
  acts.push(suggestOtherMachine(input));
  const lower = scaleLoad(plan, 0.5);
  if (lower) {
    acts.push(
      act(
        'lowerLoad',
        `Run it ${formatAtLevel(findHighestLevel(lower))}`,
        `${capitalizeStart(generatorNames(generators))} can measure less load more exactly; the result is for that load only.`,
        lower,
      ),
    );
  }
  return acts;
}

function suggestOtherMachine({ generators }: JudgeInput): Act {
  const own = `how much ${formatOverloadedNames(generators)} changed the figures`;
  const explanation = `A faster one, or one that does not run the server too, shows ${own}.`;
  return act('otherMachine', generators.length > 1 ? 'Run it from other computers' : 'Run it from another computer', explanation, null);
}

function suggestMoreLoad({ plan }: JudgeInput): Act {
  const higher = scaleLoad(plan, 2);
  return act(
    'goUp',
    'Double the load',
    `The same test with twice the ${LOAD_WORDS[plan.load.model]}${higher ? ` (${formatNumber(findHighestLevel(higher).highest)})` : ''} shows whether there is headroom.`,
    higher,
  );
}

/** Advises a higher cap if responses within their limits would fill the current one. In that case, the cap was measured, not the target. */
function raiseCap({ plan, evidence }: JudgeInput): Act | null {
  const { load } = plan;
  if (load.model !== 'arrivals') return null;
  const short = listCountedStages(plan).flatMap((index) => {
    const stage = load.stages[index];
    if (stage === undefined || evidence.of(index, 0).notStartedTarget === 0) return [];
    const needed = journeysAtLimit(plan, load, stage, index);
    return needed > maxInFlightOf(load, stage) ? [needed] : [];
  });
  if (short.length === 0) return null;
  const roomy = raiseMaxInFlight(plan, 2 * Math.max(...short));
  return (
    roomy &&
    act(
      'raiseCap',
      `Allow ${formatCount(roomy.load.model === 'arrivals' ? roomy.load.maxInFlight : null)} in flight`,
      'So many can be in flight even if every response comes just in time. The plan allowed fewer, and arrivals were left out too early.',
      roomy,
    )
  );
}

/**
 * Advises a load below the lowest one that failed: half of it, or halfway between it and the highest one that passed. Returns null if there
 * is no such load.
 */
function suggestLessLoad(criteria: readonly CriterionResult[], { plan }: JudgeInput): Act | null {
  const levels = listCountedStages(plan).flatMap((index) => {
    const stage = plan.load.stages[index];
    const judged = criteria.filter((result) => result.stage === stageName(plan, index));
    if (stage === undefined || judged.length === 0) return [];
    const failed = judged.filter(({ outcome }) => outcome === 'failed').map(({ fromSecond }) => levelAt(plan, index, fromSecond));
    return [{ failed, passed: judged.every(({ outcome }) => outcome === 'passed') ? levelOf(stage).highest : null }];
  });
  const whole = findHighestLevel(plan);
  const failedLevels = levels.flatMap((level) => level.failed);
  // If a criterion failed over all stages together, no level is known to have passed.
  const failed = failedLevels.length === 0 ? whole.highest : Math.min(...failedLevels);
  const passedLevels = failedLevels.length === 0 ? [] : levels.flatMap((level) => level.passed ?? []);
  const passed = Math.max(0, ...passedLevels.filter((level) => level < failed));
  const lower = scaleLoad(plan, (passed + failed) / 2 / whole.highest);
  if (lower === null) return null;
  const words = formatLevel(findHighestLevel(lower));
  const { highest } = findHighestLevel(lower);
  if (highest >= failed || highest <= passed) return null;
  return passed > 0
    ? act(
        'goDown',
        `Run it between the load that passed and the one that failed: ${words}`,
        `It passed ${formatAtLevel({ ...whole, from: passed, to: passed, highest: passed })} and failed ${formatAtLevel({ ...whole, from: failed, to: failed, highest: failed })}.`,
        lower,
      )
    : act(
        'goDown',
        `Run it at half the load${failed < whole.highest ? ' that failed' : ''}: ${words}`,
        `The same test with half the ${LOAD_WORDS[plan.load.model]} shows what the server sustains.`,
        lower,
      );
}

/** Returns the load at which a criterion began to fail. For a ramp of arrivals, it is the rate at that second. */
function levelAt(plan: Plan, stage: number, second: number | null): number {
  const found = plan.load.stages[stage];
  if (found === undefined) return findHighestLevel(plan).highest;
  const level = levelOf(found);
  const schedule = planSchedule(plan);
  if (schedule === null || second === null || isSteady(level)) return level.highest;
  return Math.min(level.highest, Math.max(rateAt(schedule.curve, second), Math.min(level.from, level.to)));
}

/** Returns the advice to correct something first if load is not the cause, because neither less nor more load helps. */
function correctFirst({ plan, notOfLoad }: JudgeInput): Act | null {
  if (notOfLoad == null) return null;
  return act('runAgain', 'Correct the cause, then run it again', `Load is not the cause. ${notOfLoad.remedy}`, plan);
}

function act(kind: string, label: string, explanation: string, plan: Plan | null): Act {
  return { kind, label, explanation, plan };
}

function isAct(candidate: Act | null): candidate is Act {
  return candidate !== null;
}
