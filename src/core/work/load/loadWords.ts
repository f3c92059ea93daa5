import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import type { ArrivalsStage, ConnectionsStage, Load, ThinkTime, UsersStage } from '#core/plan/schema/load.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { isSingleRequest, requestsPerJourney } from '../journey/flow/executions.ts';
import { computePace, pausesOfJourney } from '../journey/flow/pauses.ts';
import { findPlannedJourneys } from './planned.ts';
import { levelOf, maxInFlightOf, usersAtStart } from './stages.ts';

type ArrivalsLoad = Extract<Load, { model: 'arrivals' }>;

/** Describes the load: one or two sentences per stage, then those that apply to all stages. */
export function loadSentences(plan: Plan): string[] {
  return [...plan.load.stages.map((_, index) => stageSentence(plan, index)), ...commonSentences(plan)];
}

function stageSentence(plan: Plan, index: number): string {
  const stage = plan.load.stages[index];
  if (!stage) return '';
  const isNamed = plan.load.stages.length > 1 || stage.name !== undefined;
  const words = formatStage(plan, index);
  const counted = stage.counted || ('kind' in stage && stage.kind === 'pause') ? '' : ' This stage is not counted.';
  return `${isNamed ? `“${stageName(plan, index)}”: ${words}` : words.charAt(0).toUpperCase() + words.slice(1)}.${counted}`;
}

function formatStage(plan: Plan, index: number): string {
  const { load } = plan;
  const stage = load.stages[index];
  if (stage === undefined) return '';
  if ('connections' in stage) return formatConnections(stage);
  if ('users' in stage) return formatUsersStage(plan, stage, index);
  const own =
    'maxInFlight' in stage && stage.maxInFlight !== undefined ? `, at most ${formatCount(stage.maxInFlight)} at the same time` : '';
  const sum = stage.kind === 'pause' || stage.kind === 'count' ? '' : `, ${formatCount(findPlannedJourneys(plan, index))} in all`;
  return `${formatArrivals(stage, nounOfLoad(plan))}${sum}${own}`;
}

function formatConnections({ connections, requests, seconds }: ConnectionsStage): string {
  const many = connections === 1 ? '1 connection' : `${formatCount(connections)} connections`;
  const again = connections === 1 ? 'sending the next request after a response' : 'each sending the next request after a response';
  if (seconds !== undefined) return `${many}, ${again}, for ${formatSeconds(seconds)}`;
  return `${many}, ${again}, ${requests === undefined ? 'without an end' : `until ${formatCount(requests)} requests are sent`}`;
}

function formatUsersStage(plan: Plan, stage: UsersStage, index: number): string {
  const { users, seconds, restSeconds } = stage;
  const thinkTime = plan.load.model === 'users' ? plan.load.thinkTime : undefined;
  const before = usersAtStart(plan.load, index);
  const rest = restSeconds > 0 ? `after ${formatSeconds(restSeconds)} without any load, ` : '';
  const one = users === 1;
  const many = one ? '1 user' : `${formatCount(users)} users`;
  const repeat = `${one ? 'repeats' : 'repeat'} the ${nounOfLoad(plan)}`;
  const paceSeconds = plan.load.model === 'users' ? plan.load.paceSeconds : undefined;
  const thinking = thinkTime === undefined ? 'without pauses' : `pausing ${formatThinkTime(thinkTime)} after each response`;
  const pace = paceSeconds === undefined ? '' : `one each ${formatSeconds(paceSeconds)}`;
  const pause = pace === '' ? thinking : thinkTime === undefined ? pace : `${pace}, ${thinking}`;
  const same = before > 0 && users <= before ? (users === before ? 'the same ' : `${formatCount(users)} of the `) : '';
  const who = same === '' || users === before ? `${same}${many}` : `${same}${formatCount(before)} users`;
  return `${rest}${who} ${repeat}, ${pause}, for ${formatSeconds(seconds)}${changeWords(stage, before)}`;
}

/** Describes how the number of users changes. */
function changeWords({ users, startUpSeconds, startUpCounts }: UsersStage, before: number): string {
  const change = Math.abs(users - before);
  if (change === 0 || (before === 0 && startUpSeconds === 0)) return '';
  const counted = startUpCounts === true ? 'which is counted too' : 'which is not counted';
  const within = `within ${formatSeconds(startUpSeconds)} before that, ${counted}`;
  const when = startUpSeconds === 0 ? ' at its beginning' : change === 1 ? ` ${within}` : ` one after the other ${within}`;
  if (users < before) return `; ${change === 1 ? 'one leaves' : `${formatCount(change)} leave`}${when}`;
  if (before > 0)
    return `; the ${formatCount(before)} of the stage before stay, and ${change === 1 ? 'one begins' : `${formatCount(change)} begin`}${when}`;
  return `; ${users === 1 ? 'it begins' : 'they begin'}${when}`;
}

/** Returns text such as "5 s", "2 s to 8 s" or "5 s on average". */
function formatThinkTime(thinkTime: ThinkTime): string {
  switch (thinkTime.kind) {
    case 'fixed':
      return formatSeconds(thinkTime.seconds);
    case 'uniform':
      return `${formatSeconds(thinkTime.fromSeconds)} to ${formatSeconds(thinkTime.toSeconds)}`;
    case 'exponential':
      return `${formatSeconds(thinkTime.meanSeconds)} on average`;
    default:
      return thinkTime satisfies never;
  }
}

/** Returns “request” for journeys of one request, and otherwise “journey”. */
function nounOfLoad(plan: Plan): string {
  return isSingleRequest(plan) ? 'request' : 'journey';
}

function formatArrivals(stage: ArrivalsStage, noun: string): string {
  const rates = (from: number, to: number): string => `${formatNumber(from)} to ${formatNumber(to)} ${noun}s a second`;
  switch (stage.kind) {
    case 'constant':
      return `${formatConstantRate(stage.perSecond, noun)} for ${formatSeconds(stage.seconds)}`;
    case 'ramp':
      return `the rate changes linearly from ${rates(stage.fromPerSecond, stage.toPerSecond)} over ${formatSeconds(stage.seconds)}`;
    case 'count':
      return `${formatCount(stage.arrivals)} ${noun}${stage.arrivals === 1 ? ' begins' : 's begin'} within ${formatSeconds(stage.seconds)} (${formatNumber(stage.arrivals / stage.seconds)} a second)`;
    case 'pause':
      return `nothing begins for ${formatSeconds(stage.seconds)}`;
    case 'steps':
      return `the rate changes from ${rates(stage.fromPerSecond, stage.toPerSecond)} in ${formatCount(stage.steps)} steps of ${formatSeconds(stage.secondsEach)} each`;
    case 'spike': {
      const flanks = stage.rampSeconds > 0 ? ` (each change takes ${formatSeconds(stage.rampSeconds)})` : '';
      return `${formatConstantRate(stage.basePerSecond, noun)} for ${formatSeconds(stage.secondsBefore)}, then ${formatNumber(stage.peakPerSecond)} for ${formatSeconds(stage.peakSeconds)}, then ${formatNumber(stage.basePerSecond)} again for ${formatSeconds(stage.secondsAfter)}${flanks}`;
    }
    default:
      return stage satisfies never;
  }
}

/** Returns text such as "50 requests begin each second" or "a request begins every 4 s". */
function formatConstantRate(perSecond: number, noun: string): string {
  if (perSecond === 0) return `no ${noun} begins`;
  if (perSecond < 1) return `a ${noun} begins every ${formatSeconds(1 / perSecond)}`;
  return perSecond === 1 ? `a ${noun} begins each second` : `${formatNumber(perSecond)} ${noun}s begin each second`;
}

function commonSentences(plan: Plan): string[] {
  const { load } = plan;
  switch (load.model) {
    case 'connections':
      return [];
    case 'users':
      return usersBound(plan, load);
    case 'arrivals':
      return [spacingSentence(plan, load), ...pauseSentence(plan, load), capSentence(plan, load)];
    default:
      return load satisfies never;
  }
}

/** Describes the maximum request rate of users with pauses. No response time can lead to a higher one. */
function usersBound(plan: Plan, { stages }: Extract<Load, { model: 'users' }>): string[] {
  const paces = stages.map(({ users }, stage) => ({ users, ...computePace(plan, stage) }));
  if (paces.some(({ pauseSeconds }) => pauseSeconds === 0)) return [];
  const maxPerSecond = Math.max(
    ...paces.map(({ users, pauseSeconds, requests, besidePerSecond }) => users * (requests / pauseSeconds + besidePerSecond)),
  );
  const each = isSingleRequest(plan) ? '' : ', all steps together';
  return [
    `With these pauses it is at most about ${formatNumber(maxPerSecond)} requests a second${each}, when responses take no time${formatPageResources(plan)}.`,
  ];
}

/** Mentions resources of pages, whose number is unknown in advance; empty if there are no pages. */
export function formatPageResources({ journey }: Pick<Plan, 'journey'>): string {
  return journey.some(({ resources }) => resources !== undefined) ? ', and beside them whatever their pages link to' : '';
}

function spacingSentence(plan: Plan, { spacing }: ArrivalsLoad): string {
  if (spacing === 'uniform') return `They start evenly spaced, whatever the server does.`;
  return `They start at random times that average these rates, like independent people (seed ${plan.seed}), whatever the server does.`;
}

function pauseSentence(plan: Plan, { thinkTime }: ArrivalsLoad): string[] {
  return thinkTime === undefined || isSingleRequest(plan) ? [] : [`Between two steps of a journey ${formatThinkTime(thinkTime)} go by.`];
}

/** Describes when the cap is reached: by Little's law, when journeys take longer than cap / rate. */
function capSentence(plan: Plan, load: ArrivalsLoad): string {
  const full = load.stages
    .map((stage, index) => ({ index, cap: maxInFlightOf(load, stage), seconds: maxInFlightOf(load, stage) / levelOf(stage).highest }))
    .toSorted((a, b) => a.seconds - b.seconds);
  const [first = { index: 0, cap: load.maxInFlight, seconds: Number.POSITIVE_INFINITY }] = full;
  const where = full.every(({ cap }) => cap === first.cap) ? '' : ` during “${stageName(plan, first.index)}”`;
  const nouns = `${nounOfLoad(plan)}s`;
  const requests = requestsPerJourney(plan, first.index).most ?? Number.POSITIVE_INFINITY;
  const longest = requests * plan.timeoutSeconds + pausesOfJourney(load.thinkTime, requests);
  const capText = `At most ${formatCount(first.cap)} ${nouns} are in flight at the same time${where}`;
  if (first.seconds > longest) return `${capText}, which is more than there can be.`;
  return `${capText}, enough while each takes up to ${formatSeconds(first.seconds)}; if more are outstanding, further ones are left out and count as failed.`;
}
