import { listRecordedRequests } from '#core/plan/requests.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { listCountedStages, listJudgedStages, stageName } from '#core/plan/names.ts';
import { COUNTED_NOUNS, countedNoun, listCriteria } from '#core/plan/criteria.ts';
import type { Criterion, Plan } from '#core/plan/schema/plan.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { generatorNames, formatLateNames, formatOverload } from '#core/result/generatorNames.ts';
import { isRunning } from '#core/result/schema.ts';
import type { CriterionResult, Verdict, VerdictParts } from '#core/result/verdict.ts';
import {
  formatCount,
  formatMs,
  formatNumber,
  formatPart,
  formatPercentile,
  formatSeconds,
  formatShare,
  GOOD_PER_SECOND,
} from '#core/base/units.ts';
import type { CellEvidence } from './evidence.ts';
import type { JudgeInput } from './input.ts';
import { goodRate } from './kinds/throughput.ts';
import { findUnavailable, formatItems, MIN_NEARLY_ALL_SHARE, listNeverWorked, formatNeverWorked, formatUnavailable } from './items.ts';
import { eventCount, eventRate, eventsP95, listensToStreams } from './streams.ts';
import { computeOffered, countOutstanding, formatOutstanding, formatRateAt } from './reasons.ts';
import { describePeople, peopleComeFirst } from './people.ts';
import { formatStorage } from './storage.ts';
import {
  formatAtLevel,
  formatEventRate,
  formatFrom,
  findHighestLevel,
  uncapitalize,
  NO_CRITERIA,
  formatPageRate,
  formatRequestRate,
} from './labels.ts';
import { listTlsOffers } from '#core/result/tlsOffer.ts';

/** Returns what the verdict says in addition to its outcome, for a reader without testing experience. */
export function verdictParts(
  outcome: Verdict['outcome'],
  criteria: readonly CriterionResult[],
  input: JudgeInput,
  storage?: Verdict['storage'],
): VerdictParts {
  const { load = '', cause = '', more = [] } = describeOutcome(outcome, criteria, input);
  const stored = outcome === 'passed' || outcome === 'measured' ? formatStorage(storage) : '';
  const handshakes = outcome === 'inconclusive' ? '' : formatHandshakes(input);
  const people = describePeople(input);
  const [first = '', ...others] = people;
  const ordered =
    people.length > 0 && peopleComeFirst(outcome, criteria)
      ? { load: '', cause: first, more: [...others, ...more] }
      : { load, cause, more: [...people, ...more] };
  return {
    load: `${ordered.load}${stored}`,
    cause: ordered.cause,
    more: [...ordered.more, handshakes].filter((text) => text !== '').join(' '),
  };
}

type Parts = Partial<Pick<VerdictParts, 'load' | 'cause'>> & { readonly more?: readonly string[] };

function describeOutcome(outcome: Verdict['outcome'], criteria: readonly CriterionResult[], input: JudgeInput): Parts {
  switch (outcome) {
    case 'passed':
      return describePassed(input);
    case 'failed':
      return describeFailed(criteria, input);
    case 'inconclusive':
      return describeUnknown(criteria, input);
    case 'measured':
      return describeMeasured(input);
    default:
      return outcome satisfies never;
  }
}

/** Describes a passed run. In a closed model, an overloaded load generator offers less than planned, so only the achieved rate is named. */
function describePassed(input: JudgeInput): Parts {
  const { claim } = input.plan;
  const rate = formatHighestRate(input);
  const level = findHighestLevel(input.plan, input.levels);
  const isOverloaded = input.evidence.overload().seconds > 0;
  const slow = `${capitalizeStart(formatOverload(input.generators))} for ${formatSeconds(input.overload.seconds)}`;
  const claimed = claim === '' ? '' : ` for ${claim}`;
  if (isOverloaded && level.unit !== 'arrivalsPerSecond')
    return { load: `${claimed} at ${rate}`, more: [`${slow}; real capacity may be higher.`] };
  const more = isOverloaded ? [`${slow}, which can only have increased latency.`] : [];
  const at = formatAtLevel(level);
  return claim === '' ? { load: ` ${at}`, cause: `${rate}.`, more } : { load: claimed, cause: `${rate} ${at}.`, more };
}

function describeFailed(criteria: readonly CriterionResult[], input: JudgeInput): Parts {
  const { plan } = input;
  const failedCriteria = criteria.filter(({ outcome }) => outcome === 'failed');
  const [worst] = failedCriteria.toSorted(
    (a, b) => Number(isNotSent(a, input)) - Number(isNotSent(b, input)) || excessRatio(b) - excessRatio(a),
  );
  if (!worst) return nothingWorked(input);
  const stage = plan.load.stages.findIndex((_, index) => stageName(plan, index) === worst.stage);
  const found = plan.load.stages[stage];
  const highest = findHighestLevel(plan);
  const planned = found ? levelOf(found) : highest;
  const load = formatAtLevel(found ? (input.levels?.[stage] ?? planned) : findHighestLevel(plan, input.levels));
  const step = listRecordedRequests(plan).findIndex(({ name }) => name === worst.step);
  const outstanding = countOutstanding(worst, input, stage, step);
  // Items are counted over the whole run, so the start of the violation is not named.
  const from =
    outstanding === null && isOfItems(worst, plan)
      ? ''
      : formatFrom(worst.fromSecond, input.starts.of(stage)?.from ?? 0, formatRateAt(plan, stage, worst.fromSecond));
  const miss = outstanding === null ? formatMiss(worst, input) : formatOutstanding(outstanding, plan, stage);
  const others =
    failedCriteria.length > 1
      ? `${failedCriteria.length - 1} more pass ${failedCriteria.length === 2 ? 'criterion' : 'criteria'} failed.`
      : '';
  // The claim of a plan applies to its highest load.
  const claimed = plan.claim === '' || planned.highest < highest.highest ? '' : ` for ${plan.claim}`;
  return { load: `${claimed} ${load}`, cause: `${from}${miss}.`, more: [formatPassedBelow(criteria, input, stage), others] };
}

/** Returns whether the failed requests of a step were not sent because an earlier step failed. */
function isNotSent({ step }: CriterionResult, { plan, evidence }: JudgeInput): boolean {
  const requestIndex = listRecordedRequests(plan).findIndex(({ name }) => name === step);
  if (requestIndex < 0) return false;
  const { failed, notMade } = evidence.totalOf(requestIndex);
  return notMade > 0 && notMade >= MIN_NEARLY_ALL_SHARE * failed;
}

/** Describes a failure without a failed criterion: a step never succeeded, or nothing did. */
function nothingWorked(input: JudgeInput): Parts {
  const load = formatAtLevel(findHighestLevel(input.plan, input.levels));
  const claimed = input.plan.claim === '' ? '' : ` for ${input.plan.claim}`;
  const steps = listRecordedRequests(input.plan).flatMap(({ name }, step) => {
    const found = findUnavailable(input, step);
    return found === null ? [] : [formatUnavailable(name, found)];
  });
  const stuck = listNeverWorked(input);
  const [words] = [...steps, ...stuck.map(formatNeverWorked)];
  const rate = stuck.length > 0 && isAllStuck(input) ? `; ${formatRequestRate(0)}` : '';
  return { load: `${claimed} ${load}`, cause: words === undefined ? '' : `${words}${rate}.` };
}

function isAllStuck({ plan, evidence }: JudgeInput): boolean {
  return listRecordedRequests(plan).every((_, step) => evidence.totalOf(step).good === 0);
}

/** Returns whether a criterion counts the items of its step, whose text then reports the violation. Default criteria always count items. */
function isOfItems({ criterion, step, isDefault }: CriterionResult, { journey }: Plan): boolean {
  const found = journey.find(({ name }) => name === step);
  return isDefault === true || (criterion.kind === 'errors' && criterion.of === undefined && (found?.poll ?? found?.items) !== undefined);
}

function formatMiss(failedCriteria: CriterionResult, input: JudgeInput): string {
  const { criterion, step, measured, counted, over } = failedCriteria;
  if (failedCriteria.isOfStorage === true) return uncapitalize(failedCriteria.reason.slice(0, -1));
  const requestIndex = listRecordedRequests(input.plan).findIndex(({ name }) => name === step);
  const unavailable = requestIndex < 0 || ('of' in criterion && criterion.of !== undefined) ? null : findUnavailable(input, requestIndex);
  if (unavailable !== null && step !== null) return formatUnavailable(step, unavailable);
  const found = input.plan.journey.find(({ name }) => name === step);
  const isPlain = found?.poll === undefined && found?.items === undefined;
  if (isOfItems(failedCriteria, input.plan) && found !== undefined && !(isPlain && over === counted))
    return formatItems(found, counted ?? 0, over ?? 0);
  const of = step === null ? '' : ` of “${step}”`;
  switch (criterion.kind) {
    case 'responseTime': {
      const { many, timed } = COUNTED_NOUNS[countedNoun({ ...criterion, ...(step === null ? {} : { step }) }, input.plan.journey)];
      const things = criterion.of === undefined ? many : timed;
      if (counted !== null && over === counted && isPlain && criterion.of === undefined && isAllGood(failedCriteria, input, requestIndex))
        return `all ${formatCount(counted)} responses${step === null ? '' : ` to “${step}”`} were correct but slower than ${formatMs(criterion.maxMs)}`;
      if (counted !== null && over === counted)
        return `none of ${formatCount(counted)} ${things}${of} succeeded within ${formatMs(criterion.maxMs)}`;
      return `more than ${formatShare((100 - criterion.percentile) / 100)} of ${things}${of} took longer than ${formatMs(criterion.maxMs)} or ${criterion.of === 'events' ? 'were missed' : 'failed'}`;
    }
    case 'errors': {
      const { many, failed } = COUNTED_NOUNS[criterion.of ?? 'requests'];
      if (counted !== null && over === counted && criterion.of === undefined)
        return `none of ${formatCount(counted)} requests${of} succeeded`;
      return `${criterion.maxShare === 0 ? '' : `more than ${formatShare(criterion.maxShare)} of `}${many}${of} ${failed}`;
    }
    case 'throughput':
      return `throughput${of} was ${typeof measured === 'number' ? `${formatNumber(measured)} ${GOOD_PER_SECOND}` : 'unknown'}; ${formatNumber(criterion.minPerSecond)} required`;
    case 'apdex':
      return `the Apdex${criterion.of === undefined ? '' : ` of ${COUNTED_NOUNS[criterion.of].timed}`}${of} was ${typeof measured === 'number' ? measured.toFixed(2) : 'unknown'}; ${criterion.min.toFixed(2)} required`;
    default:
      return criterion satisfies never;
  }
}

/** Returns whether every due request of the stage and the step had a successful response, however slow. */
function isAllGood({ stage, counted }: CriterionResult, { plan, evidence }: JudgeInput, requestIndex: number): boolean {
  const place = plan.load.stages.findIndex((_, index) => stageName(plan, index) === stage);
  return (
    requestIndex >= 0 && place >= 0 && counted !== null && counted > 1 && evidence.of(place, requestIndex).goodTimes.totalCount === counted
  );
}

/** Returns the ratio of the measured value to the limit, by which the worst violation is named first. */
function excessRatio({ criterion, measured, shareLow, counted, over, limit, isDefault, isOfStorage }: CriterionResult): number {
  // If the share has no lower bound, the measured share is used. Lost items rank above late ones.
  if (isOfStorage === true) return Number.POSITIVE_INFINITY;
  const share = shareLow ?? (over ?? 0) / Math.max(1, counted ?? 0);
  switch (criterion.kind) {
    case 'responseTime':
      return share / ((100 - criterion.percentile) / 100);
    case 'errors':
      return share / (isDefault === true ? 0.01 : Math.max(criterion.maxShare, 1e-9));
    case 'throughput':
      return typeof measured === 'number' && measured > 0 ? limit / measured : Number.POSITIVE_INFINITY;
    case 'apdex':
      return typeof measured === 'number' && measured > 0 ? limit / measured : Number.POSITIVE_INFINITY;
    default:
      return criterion satisfies never;
  }
}

/** Names the highest level, of those below the failed one, at which all criteria passed. */
function formatPassedBelow(criteria: readonly CriterionResult[], { plan }: JudgeInput, brokenStage: number): string {
  const broken = plan.load.stages[brokenStage];
  if (!broken) return '';
  const passedLevels = listCountedStages(plan).flatMap((index) => {
    const stage = plan.load.stages[index];
    const results = criteria.filter((result) => result.stage === stageName(plan, index));
    if (!stage || results.length === 0 || results.some(({ outcome }) => outcome !== 'passed')) return [];
    return levelOf(stage).highest < levelOf(broken).highest ? [levelOf(stage)] : [];
  });
  const [highest] = passedLevels.toSorted((a, b) => b.highest - a.highest);
  return highest ? `It passed ${formatAtLevel(highest)}.` : '';
}

function describeUnknown(criteria: readonly CriterionResult[], input: JudgeInput): Parts {
  if (wasStoppedInWarmUp(input)) return { cause: 'stopped during the warm-up, so nothing counts.', more: ['Run it again to the end.'] };
  return { cause: describeUnknownCause(criteria, input) };
}

function describeUnknownCause(criteria: readonly CriterionResult[], input: JudgeInput): string {
  if (isRunning(input.head.state)) return 'the run is still in progress.';
  if (listCriteria(input.plan).length === 0)
    return `none of the requests succeeded while ${formatOverload(input.generators)}, which may be the reason.`;
  const unknown = criteria.find(({ outcome }) => outcome === 'unknown');
  switch (unknown?.unknownBecause) {
    case 'generator':
      return formatGenerator(unknown, input);
    case 'tooFew':
      return unknown.counted === null ? 'the run was too short to decide.' : formatTooFew(unknown.criterion, unknown.counted);
    case 'tooClose':
      return 'the result is too close to a pass criterion to call.';
    case 'interrupted':
      return input.balances
        ? 'the run ended early, before any pass criterion was proven to fail.'
        : 'not every request is accounted for, and no pass criterion was proven to fail.';
    case 'notOffered':
      return 'less than the planned load was offered, and a load that was not offered cannot pass.';
    default:
      return 'no usable data.';
  }
}

/** Returns whether a run ended before any judged stage began. */
export function wasStoppedInWarmUp({ plan, head, starts, evidence }: JudgeInput): boolean {
  if (head.state === 'finished' || isRunning(head.state)) return false;
  const isSent = listRecordedRequests(plan).some((_, step) => evidence.totalOf(step).sent > 0);
  return isSent && listCountedStages(plan).every((stage) => starts.of(stage) === null);
}

function formatGenerator(unknown: CriterionResult, input: JudgeInput): string {
  if ('of' in unknown.criterion && unknown.criterion.of === 'visits' && unknown.counted === 0) return uncapitalize(unknown.reason);
  const stage = input.plan.load.stages.findIndex((_, index) => stageName(input.plan, index) === unknown.stage);
  const offered = computeOffered(input, stage);
  if (offered !== null && offered.notStartedGenerator > 0)
    return `${formatLateNames(input.generators)} could not start ${formatPart(offered.notStartedGenerator, offered.planned)} arrivals, and a load that was not offered cannot pass.`;
  const { evidence } = input;
  if (evidence.overload().seconds === 0)
    return `${generatorNames(input.generators)} sent requests later than planned, which decides the outcome.`;
  return `${formatOverload(input.generators)} for ${formatSeconds(input.overload.seconds)} of the run, which decides the outcome.`;
}

function describeMeasured(input: JudgeInput): Parts {
  const stages = listJudgedStages(input.plan);
  if (listensToStreams(input.plan) && stages.some((stage) => eventCount(input, stage) > 0)) return describeEvents(input, stages);
  const steps = listRecordedRequests(input.plan).map((_, step) => step);
  const cells = stages.flatMap((stage) => steps.map((step) => input.evidence.of(stage, step)));
  const sent = cells.reduce((sum, cell) => sum + cell.started, 0);
  const good = cells.reduce((sum, cell) => sum + cell.goodTimes.totalCount, 0);
  if (sent === 0) return describeUncounted(steps.reduce((sum, step) => sum + input.evidence.totalOf(step).sent, 0));
  if (good === 0) return { cause: `none of ${formatCount(sent)} requests succeeded; ${formatRequestRate(0)}.`, more: [NO_CRITERIA] };
  const within = formatWithin(input, stages, cells);
  const [stuck] = listNeverWorked(input);
  const failed =
    stuck !== undefined ? `; ${formatNeverWorked(stuck)}` : sent > good ? `; ${formatShare((sent - good) / sent)} of requests failed` : '';
  const level = findHighestLevel(input.plan, input.levels);
  const reachedText = `${formatHighestRate(input)} ${formatAtLevel(level)}`;
  const notBegun = stages.reduce((sum, stage) => sum + input.evidence.journeyCounts(stage).notStartedTarget, 0);
  const outstanding = notBegun > 0 ? `; ${formatCount(notBegun)} arrivals could not start because too many responses were outstanding` : '';
  return { cause: `${reachedText}${within}${failed}${outstanding}.`, more: [NO_CRITERIA] };
}

function describeEvents(input: JudgeInput, stages: readonly number[]): Parts {
  const [stage = 0, ...others] = stages;
  const p95 = others.length > 0 ? null : eventsP95(input, stage);
  const within = p95 === null ? '' : `, ${formatPercentile(95)} of them within ${formatMs(p95)}`;
  return {
    cause: `${formatHighestRate(input)} ${formatAtLevel(findHighestLevel(input.plan, input.levels))}${within}.`,
    more: [NO_CRITERIA],
  };
}

/**
 * Describes a run in which nothing counted. `sent`: number of requests in the whole run. Requests in uncounted stages or during the
 * start-up of users do not count.
 */
function describeUncounted(sent: number): Parts {
  if (sent === 0) return { cause: 'no request was sent.' };
  return { cause: 'no response was counted.', more: [`All ${formatCount(sent)} requests were sent outside the counted time.`] };
}

/** Example: “, 95 % within 40 ms”. Empty unless all counted requests are of one kind and at least 95 % succeeded. */
function formatWithin(input: JudgeInput, stages: readonly number[], cells: readonly CellEvidence[]): string {
  if (fetchesPages(input.plan)) {
    const { pages } = input.p95;
    return stages.length > 1 || pages === null || pages === 'never' ? '' : `, ${formatPercentile(95)} of them within ${formatMs(pages)}`;
  }
  const [cell] = cells;
  const { requests } = input.p95;
  if (cell === undefined || cells.length > 1 || requests === null || requests === 'never') return '';
  const isPartly = cell.goodTimes.totalCount < cell.started + cell.notStartedTarget;
  return `, ${formatPercentile(95)}${isPartly ? ' of requests' : ''} within ${formatMs(requests)}`;
}

/**
 * Formats the throughput of the stage with the highest load: successful responses, or whole pages or events if the plan is about pages or
 * events.
 */
function formatHighestRate(input: JudgeInput): string {
  const [rateOf, getWords] = chooseRate(input);
  const { highest } = findHighestLevel(input.plan);
  const named = listJudgedStages(input.plan).filter((index) => {
    const stage = input.plan.load.stages[index];
    return stage !== undefined && levelOf(stage).highest === highest;
  });
  const rates = named.flatMap((stage) => rateOf(stage) ?? []);
  return getWords(rates.length === 0 ? null : Math.max(...rates));
}

function chooseRate(input: JudgeInput): [rateOf: (stage: number) => number | null, getWords: (perSecond: number | null) => string] {
  if (listensToStreams(input.plan)) return [(stage) => eventRate(input, stage), formatEventRate];
  if (fetchesPages(input.plan)) return [(stage) => pageRate(input, stage), formatPageRate];
  return [(stage) => goodRate(input, { stage, step: null })?.perSecond ?? null, formatRequestRate];
}

function formatTooFew(criterion: Criterion, counted: number): string {
  const { many } = COUNTED_NOUNS[('of' in criterion ? criterion.of : undefined) ?? 'requests'];
  return counted === 1 ? `1 ${many.slice(0, -1)} is too few to decide.` : `${formatCount(counted)} ${many} are too few to decide.`;
}

/** Minimum number of handshakes per request at which they affect the measurement. */
const MIN_NOTABLE_SHARE = 0.1;
/** Maximum share of full handshakes that first connections explain, because a first connection has no session to resume. */
const MAX_FIRST_SHARE = 0.05;

/**
 * Describes which TLS handshakes were measured, over which protocol, and which were not, as sentences after the verdict. Empty if
 * handshakes were rare. A server that full handshakes limit may sustain more returning visitors, and one that fails over one protocol may
 * pass over the other.
 */
function formatHandshakes({ plan, evidence, events }: Pick<JudgeInput, 'plan' | 'evidence' | 'events'>): string {
  const { full, resumed, requests } = evidence.handshakes();
  const made = full + resumed;
  if (made === 0 || made < MIN_NOTABLE_SHARE * requests) return '';
  const [used, other] = plan.connections.protocol === 'h2' ? ['HTTP/2', 'HTTP/1.1'] : ['HTTP/1.1', 'HTTP/2'];
  const isOffered = listTlsOffers(events).some(({ protocol }) => protocol === 'h2');
  const and = isOffered ? ` and ${other}` : '';
  if (resumed === 0)
    return `Every connection over ${used} made a full TLS handshake, as new visitors do. Resumed ones of returning visitors${and} were not tested.`;
  if (full <= MAX_FIRST_SHARE * made)
    return `Connections over ${used} resumed a TLS session, as returning visitors do. Full handshakes of new visitors${and} were not tested.`;
  const share = `Of the TLS handshakes over ${used}, ${formatShare(resumed / made)} were resumed.`;
  return isOffered ? `${share} ${other} was not tested.` : share;
}

/** Returns whether a plan fetches whole pages. If it does, headlines are about pages instead of requests. */
function fetchesPages({ journey }: Plan): boolean {
  return journey.some(({ resources }) => resources !== undefined);
}

/** Returns complete pages per second while the load of a stage was running; null if the stage was never reached. */
function pageRate({ plan, stageTimes, evidence }: JudgeInput, stage: number): number | null {
  const span = stageTimes[stage] ?? null;
  if (span === null || span.to <= span.from) return null;
  const blocks = plan.journey.flatMap((_, step) => evidence.blocksUnderLoad(stage, step));
  return blocks.reduce((sum, { pages }) => sum + pages, 0) / (span.to - span.from);
}
