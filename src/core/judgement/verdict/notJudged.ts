import { listCriteria } from '#core/plan/criteria.ts';
import { storesValue } from '#core/work/journey/storing.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { JudgeInput } from './input.ts';
import { isUnused, listJudgedSteps } from './items.ts';
import { secondsOf, countUncountedSeconds } from '#core/work/load/stages.ts';
import { listJudgedStages } from '#core/plan/names.ts';
import { formatSeconds } from '#core/base/units.ts';
import type { Verdict, CriterionResult } from '#core/result/verdict.ts';

type UnjudgedSteps = NonNullable<Verdict['notJudged']>;

/** Returns the steps without a decided criterion, and steps whose successful responses prove nothing or could not be checked. */
export function listNotJudged(
  outcome: Verdict['outcome'],
  criteria: readonly CriterionResult[],
  storage: Verdict['storage'],
  input: JudgeInput,
): UnjudgedSteps {
  const { plan, evidence } = input;
  return listJudgedSteps(plan).flatMap(({ name, step: index, requestIndex }): UnjudgedSteps => {
    const own = criteria.filter(({ step, isOfStorage }) => step === name && isOfStorage !== true);
    if (evidence.stagesOf(requestIndex).every((stage) => isUnused(evidence.of(stage, requestIndex))))
      return [{ step: name, because: 'neverSent' }];
    if (listCriteria(plan).length === 0)
      return outcome === 'failed' && evidence.totalOf(requestIndex).good === 0 ? [] : [{ step: name, because: 'noCriteria' }];
    if (own.every(({ outcome }) => outcome === 'unknown')) return [{ step: name, because: 'undecided' }];
    if (evidence.totalOf(requestIndex).unchecked > 0) return [{ step: name, because: 'notChecked' }];
    const step = plan.journey[index];
    const isProven = storage?.steps.some((one) => one.step === name && one.state !== 'notVerified') === true;
    return step === undefined || isProven || showsSuccess(step, plan) ? [] : [{ step: name, because: 'statusOnly' }];
  });
}

/** Returns whether the response of a storing step shows that it succeeded. Many servers send refusals with status 200, too. */
function showsSuccess(step: Step, plan: Plan): boolean {
  if (!storesValue(step, plan)) return true;
  const { checks, captures, poll, redirects, expectStatus } = step;
  const isDistinct = expectStatus !== undefined && !expectStatus.includes(200);
  return checks.length > 0 || (captures ?? []).length > 0 || poll !== undefined || redirects !== undefined || isDistinct;
}

const REASON_TEXTS: Readonly<Record<UnjudgedSteps[number]['because'], string>> = {
  neverSent: 'never sent',
  undecided: 'inconclusive',
  noCriteria: 'no pass criteria',
  statusOnly: 'only its status shows success',
  notChecked: 'responses too large to check',
};

/** Maximum number of steps that are named for each reason. */
const MAX_NAMED = 6;

/**
 * Example: “Not judged: “form”, “submissions” (never sent).” Empty if every step was judged, or if the verdict already says so because the
 * run has no criteria or no decision.
 */
export function formatNotJudged({ outcome, notJudged = [] }: Pick<Verdict, 'outcome' | 'notJudged'>): string {
  const reported = notJudged.filter(({ because }) => because !== 'noCriteria' && (because !== 'undecided' || outcome !== 'inconclusive'));
  if (outcome === 'measured' || reported.length === 0) return '';
  const parts = [...Map.groupBy(reported, ({ because }) => because)].map(([because, steps]) => {
    const names = steps.slice(0, MAX_NAMED).map(({ step }) => `“${step}”`);
    const rest = steps.length > MAX_NAMED ? ` and ${steps.length - MAX_NAMED} more` : '';
    return `${names.join(', ')}${rest} (${REASON_TEXTS[because]})`;
  });
  return `Not judged: ${parts.join('; ')}.`;
}

/**
 * Returns the average interval of events that occur at least once in `seconds` with 95 % confidence: seconds / 3, since P(none) = e^−3 =
 * 0.05 (rule of three, Hanley and Lippman-Hand 1983). Rarer events may have been missed.
 */
function rarestSeenSeconds(seconds: number): number {
  return seconds / 3;
}

/** Returns the average interval of the rarest events that a planned run would see; null if requests end a judged stage. */
export function rarestToBeSeenSeconds(plan: Plan): number | null {
  const lengths = listJudgedStages(plan).flatMap((index) => {
    const stage = plan.load.stages[index];
    if (stage === undefined) return [];
    const seconds = secondsOf(stage);
    return [seconds === null ? null : seconds - countUncountedSeconds(stage)];
  });
  const knownLengths = lengths.filter((seconds) => seconds !== null);
  return knownLengths.length === 0 || knownLengths.length < lengths.length ? null : rarestSeenSeconds(Math.min(...knownLengths));
}

/** Returns what the shortest judged stage may have missed; undefined if no judged stage was reached. */
export function findNotSeen({ plan, stageTimes }: JudgeInput): Verdict['notSeen'] {
  const lengths = listJudgedStages(plan).flatMap((stage) => {
    const span = stageTimes[stage] ?? null;
    return span === null || span.to <= span.from ? [] : [span.to - span.from];
  });
  if (lengths.length === 0) return undefined;
  const watchedSeconds = Math.min(...lengths);
  return { watchedSeconds, rarerThanSeconds: rarestSeenSeconds(watchedSeconds) };
}

export function formatNotSeen({ rarerThanSeconds }: NonNullable<Verdict['notSeen']>): string {
  return `Disturbances rarer than about one every ${formatSeconds(rarerThanSeconds)} may have been missed.`;
}
