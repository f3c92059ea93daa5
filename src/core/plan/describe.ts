import { plannedRequests, plannedSeconds } from '../load/planned.ts';
import { levelOf } from '../load/stages.ts';
import type { Description } from '../presets/schema.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatPortion, formatSeconds, formatShare } from '../units.ts';
import { describeCheck } from '../bodyCheck/words.ts';
import { checkPlan } from './check.ts';
import { hasSecureTarget } from './hosts.ts';
import { stageName } from './names.ts';
import { profileOf } from './profile.ts';
import type { ArrivalsStage, ConnectionsStage, Load, Stage, ThinkTime, UsersStage } from './loadSchema.ts';
import type { Objective, Plan } from './schema.ts';

/** The plan in words and numbers, for people who have to agree to it before it runs. What cannot be told before is null. */
export function describePlan(plan: Plan): Description {
  const requests = plannedRequests(plan);
  return {
    sentences: [
      whoSentence(plan),
      whatSentence(plan),
      ...checkSentences(plan),
      ...plan.load.stages.map((_, index) => stageSentence(plan, index)),
      ...connectionSentences(plan),
      amountSentence(plan),
      endSentence(plan),
    ],
    durationSeconds: plannedSeconds(plan),
    requests,
    arrivalsPerSecond: requestRate(plan),
    objectives: plan.objectives.map(describeObjective),
    profile: profileOf(plan),
    warnings: checkPlan(plan).filter(({ level }) => level === 'warning'),
  };
}

/** An objective in plain words: "19 of 20 answers of “description” within 1 s". */
export function describeObjective(objective: Objective): string {
  const of = objective.step === undefined ? '' : ` of “${objective.step}”`;
  const during = objective.stage === undefined ? '' : ` during “${objective.stage}”`;
  switch (objective.kind) {
    case 'responseTime':
      return `${formatPortion(objective.percentile)} answers${of} within ${formatMs(objective.limitMs)}${during}`;
    case 'errors':
      if (objective.maxShare === 0) return `no failed request${of}${during}`;
      return `at most ${objective.maxShare < 0.1 ? formatShare(objective.maxShare) : formatPercent(objective.maxShare)} requests${of} failing${during}`;
    case 'throughput':
      return `at least ${formatNumber(objective.minPerSecond)} good answers${of} a second${during}`;
    case 'apdex':
      return `Apdex of at least ${objective.min.toFixed(2)}${of} for answers within ${formatMs(objective.thresholdMs)}${during}`;
    default:
      return objective satisfies never;
  }
}

function whoSentence(plan: Plan): string {
  const hosts = plan.targets.map((target) => new URL(target.url).host);
  if (hosts.length === 1) return `The load goes to ${hosts[0]}.`;
  return `The load is shared among ${hosts.length} targets: ${hosts.join(', ')}.`;
}

function whatSentence(plan: Plan): string {
  const steps = plan.journey.map((step) => `“${step.name}” (${step.method} ${step.path === '' ? 'the address itself' : step.path})`);
  if (steps.length === 1) return `Every request is ${steps[0]}.`;
  return `Each journey takes ${steps.length} steps, one after the other: ${steps.join(', ')}.`;
}

function checkSentences({ journey }: Plan): string[] {
  return journey.flatMap(({ name, checks }) =>
    checks.length === 0 ? [] : [`An answer to “${name}” is good only if its body ${checks.map(describeCheck).join(', and ')}.`],
  );
}

function stageSentence(plan: Plan, index: number): string {
  const stage = plan.load.stages[index];
  if (!stage) return '';
  const name = plan.load.stages.length === 1 && stage.name === undefined ? '' : `“${stageName(plan, index)}”: `;
  const counted = stage.counted || ('kind' in stage && stage.kind === 'pause') ? '' : ' This stage is not counted.';
  return `${name}${loadOfStage(stage, plan.load)}.${counted}`;
}

function loadOfStage(stage: Stage, load: Load): string {
  if ('connections' in stage) return connectionsWords(stage);
  if ('users' in stage) return usersWords(stage, load.model === 'users' ? load.thinkTime : undefined);
  return arrivalsWords(stage);
}

function connectionsWords({ connections, requests, seconds }: ConnectionsStage): string {
  const many = connections === 1 ? '1 connection' : `${formatCount(connections)} connections`;
  const again = connections === 1 ? 'asks again as soon as it is answered' : 'each ask again as soon as they are answered';
  if (seconds !== undefined) return `${many} ${again}, for ${formatSeconds(seconds)}`;
  return `${many} ${again}, ${requests === undefined ? 'without an end' : `until ${formatCount(requests)} requests were sent`}`;
}

function usersWords({ users, startUpSeconds, seconds, restSeconds }: UsersStage, thinkTime: ThinkTime | undefined): string {
  const rest = restSeconds > 0 ? `after ${formatSeconds(restSeconds)} of rest, ` : '';
  const many = users === 1 ? '1 user' : `${formatCount(users)} users`;
  const pause = thinkTime === undefined ? 'without pausing' : `pausing ${thinkTimeWords(thinkTime)} after each answer`;
  const startUp = startUpSeconds > 0 ? `, counted once all of them run, which takes ${formatSeconds(startUpSeconds)}` : '';
  return `${rest}${many} walk through the journey again and again, ${pause}, for ${formatSeconds(seconds)}${startUp}`;
}

/** "5 s", "2 s to 8 s", "5 s on average". */
export function thinkTimeWords(thinkTime: ThinkTime): string {
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

function arrivalsWords(stage: ArrivalsStage): string {
  switch (stage.kind) {
    case 'constant':
      return `${formatNumber(stage.perSecond)} journeys begin each second, for ${formatSeconds(stage.seconds)}`;
    case 'ramp':
      return `from ${formatNumber(stage.fromPerSecond)} to ${formatNumber(stage.toPerSecond)} journeys begin each second, over ${formatSeconds(stage.seconds)}`;
    case 'count':
      return `${formatCount(stage.arrivals)} journeys begin, evenly spread over ${formatSeconds(stage.seconds)}`;
    case 'pause':
      return `nothing begins for ${formatSeconds(stage.seconds)}`;
    case 'steps':
      return `from ${formatNumber(stage.fromPerSecond)} to ${formatNumber(stage.toPerSecond)} journeys begin each second, in ${stage.steps} steps of ${formatSeconds(stage.secondsEach)}`;
    case 'spike':
      return `${formatNumber(stage.basePerSecond)} journeys begin each second, at a peak of ${formatSeconds(stage.peakSeconds)} it is ${formatNumber(stage.peakPerSecond)}`;
    default:
      return stage satisfies never;
  }
}

/** Requests per second at the highest arrival rate; null where answers decide it. */
function requestRate({ load, journey }: Plan): number | null {
  if (load.model !== 'arrivals') return null;
  return Math.max(...load.stages.map((stage) => levelOf(stage).highest)) * journey.length;
}

/** Only what is not as everybody expects it. */
function connectionSentences({ connections, tls, targets }: Plan): string[] {
  const sentences: string[] = [];
  if (connections.reuse === 'never') sentences.push('Every request opens a connection of its own.');
  if (connections.reuse === 'journey') sentences.push('Every journey opens a connection of its own.');
  if (connections.socketPath !== undefined) sentences.push(`Connections go to the Unix socket ${connections.socketPath}.`);
  if (connections.localAddresses !== undefined) sentences.push(fromSentence(connections.localAddresses));
  if (hasSecureTarget({ targets }) && !tls.verify) sentences.push('Certificates are not verified.');
  if (hasSecureTarget({ targets }) && tls.clientCertificate !== undefined) sentences.push('A client certificate is shown to the server.');
  return sentences;
}

function fromSentence(addresses: readonly string[]): string {
  const [first = '', ...others] = addresses;
  if (others.length === 0) return `Connections are made from ${first}.`;
  return `Connections are made from ${addresses.length} addresses of this computer in turn: ${addresses.join(', ')}.`;
}

function amountSentence(plan: Plan): string {
  const requests = plannedRequests(plan);
  const seconds = plannedSeconds(plan);
  if (requests !== null && seconds !== null)
    return `That makes ${formatCount(requests)} requests in ${formatSeconds(seconds)}, if all that are due can begin.`;
  if (requests !== null) return `That makes ${formatCount(requests)} requests; how long they take depends on the answers.`;
  if (seconds !== null) return `That takes ${formatSeconds(seconds)}; how many requests it makes depends on the answers.`;
  return 'How long it takes and how many requests it makes depends on the answers.';
}

function endSentence(plan: Plan): string {
  const drain = plan.drainSeconds ?? plan.timeoutSeconds;
  return `A request may take ${formatSeconds(plan.timeoutSeconds)}; at the end answers that are still owed are waited for, at most ${formatSeconds(drain)}.`;
}
