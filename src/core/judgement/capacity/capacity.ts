import { countResponses } from '#core/measurement/requestOutcomes.ts';
import type { Finding, RunResult } from '#core/result/schema.ts';
import type { Demand } from '#core/plan/schema/demand.ts';
import { type MeasuredRun, ruleOf, overloadedShare } from '../diagnosis/rule.ts';
import { type Headroom, headroomEvidence, computeHeadroom, headroomSentence, listResources, formatHeadroom } from './demand.ts';
import { bestCycle, type Cycle, findCycles, type LevelSet, levelsOfRun } from './levels.ts';
import { type Scaling, fitScaling } from './scaling.ts';
import type { CriterionResult, Verdict } from '#core/result/verdict.ts';
import { formatVerdict } from '../verdict/labels.ts';

/**
 * Returns the headroom: successful responses per second of the best counted stage that failed no criterion, divided by the plan's demand.
 * Throughput criteria are excluded, because they state a demand, not quality.
 */
export function findHeadroom(
  { plan, stages }: Pick<MeasuredRun, 'plan' | 'stages'>,
  criteria: readonly CriterionResult[],
): Headroom | null {
  const failedStages = new Set(findFailed(criteria).map(({ stage }) => stage));
  const loads = stages.flatMap(({ name, counted, requests, rates }) => {
    const complete = countResponses(requests);
    if (!counted || rates.completedPerSecond === null || complete === 0) return [];
    return [
      {
        name,
        perSecond: (rates.completedPerSecond * requests.ok) / complete,
        startedPerSecond: rates.startedPerSecond ?? 0,
        hasFailed: failedStages.has(name),
      },
    ];
  });
  return computeHeadroom(plan.demand, loads);
}

function findFailed(criteria: readonly CriterionResult[]): CriterionResult[] {
  return criteria.filter(({ criterion, outcome }) => outcome === 'failed' && criterion.kind !== 'throughput');
}

/** Share of overloaded seconds from which the load generator itself may limit the rate. */
const MAX_OVERLOADED_SHARE = 0.2;

/** Returns the headroom as a finding; empty if unknown. */
export function findHeadroomFindings(facts: MeasuredRun, criteria: readonly CriterionResult[]): Finding[] {
  const room = findHeadroom(facts, criteria);
  if (room === null || (room.factor < 1 && overloadedShare(facts) > MAX_OVERLOADED_SHARE)) return [];
  const { factor, failedAt, stage, perSecond } = room;
  const own = facts.stages.find(({ name }) => name === stage);
  const [from, to] = [own?.startedAtSecond ?? null, own?.endedAtSecond ?? null];
  const resources = from === null || to === null ? [] : listResources(facts, { fromSecond: from, toSecond: to, perSecond });
  const failedCriteria = findFailed(criteria).flatMap((one) => (one.stage === failedAt ? [one.text] : []));
  return [
    {
      id: 'headroom',
      level: factor < 1 ? 'warning' : 'info',
      sentence: headroomSentence(room),
      evidence: headroomEvidence(room, failedCriteria, resources),
      remedy: failedAt === null ? 'To find where it ends, run it again with more.' : 'Nothing to do: this is the reserve.',
      confidence: failedAt === null ? 'likely' : 'certain',
      range: null,
    },
  ];
}

export interface ScaledSet {
  readonly set: LevelSet;
  readonly scaling: Scaling;
}

/** Capacity as far as a run or a series shows it. */
export interface Capacity {
  readonly sets: readonly ScaledSet[];
  /** Counted stages of a run with a number of users or connections. Empty for a series, because its table contains them. */
  readonly cycles: readonly Cycle[];
  readonly best: Cycle | null;
  readonly headroom: Headroom | null;
}

/** Rules whose findings mean that something other than the server limits the rate. */
const OTHER_LIMIT_FINDINGS: ReadonlySet<string> = new Set(['generatorLimited', 'portsExhausted', 'bandwidthBound']);

type Run = Pick<RunResult, 'stages' | 'pages' | 'windows' | 'criteria' | 'plan' | 'findings'>;

/** Returns the capacity of a run, for `demand` instead of the plan's demand. */
export function capacityOfRun(run: Run, demand: Demand | undefined = run.plan.demand): Capacity {
  const set = levelsOfRun(run);
  const isAnothers = run.findings.some((finding) => OTHER_LIMIT_FINDINGS.has(ruleOf(finding)));
  const judged = set === null ? null : isAnothers ? { ...set, levels: set.levels.map((level) => ({ ...level, isDoubted: true })) } : set;
  const cycles = findCycles(run);
  return {
    sets: judged === null ? [] : [{ set: judged, scaling: fitScaling(judged) }],
    cycles,
    best: cycles.length < 2 ? null : bestCycle(cycles),
    headroom: findHeadroom({ ...run, plan: { ...run.plan, demand } }, run.criteria),
  };
}

/** Minimum number of successful responses from which a number of people may be stated. */
const MIN_RESPONSES_OF_ROOM = 100;

/** Returns the verdict of a passed run, with the number of people for which the capacity suffices in its headline. */
export function addHeadroom(verdict: Verdict, run: Run): Verdict {
  const { outcome, parts } = verdict;
  const { headroom: room, sets } = capacityOfRun(run);
  const stage = run.stages.find(({ name }) => name === room?.stage);
  if (outcome !== 'passed' || parts === undefined || room === null || (stage?.requests.ok ?? 0) < MIN_RESPONSES_OF_ROOM) return verdict;
  const isBounded = room.failedAt !== null || sets.some(({ scaling }) => isSaturated(scaling));
  const words = formatHeadroom(room, run.plan.claim, isBounded);
  return { ...verdict, ...formatVerdict(outcome, { ...parts, load: `${parts.load}${words}` }) };
}

/** Returns whether the levels show where throughput stops growing. */
function isSaturated(scaling: Scaling): boolean {
  return scaling.kind === 'limit' || (scaling.kind === 'curve' ? scaling.peak !== null : scaling.why === 'flat');
}

/** Returns whether a capacity contains anything that other figures do not show. */
export function hasCapacity({ sets, headroom, cycles }: Capacity): boolean {
  return sets.length > 0 || headroom !== null || cycles.length > 1;
}
