import type { Issue } from '#core/plan/issues.ts';
import { type LoadPiece, buildLoadProfile } from '#core/work/load/profile.ts';
import { readPin } from '#core/plan/pins.ts';
import { reportsCache } from '#core/measurement/cache/figures.ts';
import { describeJourney } from '#core/work/journey/describe.ts';
import { formatFlow, lengthSentence } from '#core/work/journey/flow/descriptions.ts';
import { requestsPerJourney } from '#core/work/journey/flow/executions.ts';
import { countExpectedRequests, countPlannedRequests, computePlannedSeconds } from '#core/work/load/planned.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { formatCount, formatMs, formatSeconds, formatShare } from '#core/base/units.ts';
import { describeCheck } from '#core/work/bodyCheck/errorTexts.ts';
import { hasSecureTarget } from '../plan/hosts/generatorNames.ts';
import { formatPageResources, loadSentences } from '#core/work/load/loadWords.ts';
import { listCriteria, describeCriterion, stopAtResponseTimeSentence } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkPlan } from './check.ts';

/** A plan in sentences and numbers. null means unknown before the run. */
export interface Description {
  readonly sentences: readonly string[];
  /** Sentences about single steps, for details. */
  readonly aboutSteps: readonly string[];
  /** Sentences about the load, by stage. */
  readonly aboutLoad: readonly string[];
  readonly durationSeconds: number | null;
  readonly requests: number | null;
  /** Requests per second of an open model; null for a closed model. */
  readonly arrivalsPerSecond: number | null;
  readonly criteria: readonly string[];
  readonly profile: readonly LoadPiece[];
  readonly warnings: readonly Issue[];
}

/** Describes a plan in sentences and numbers, which a user reads before giving consent. Values that are unknown before the run are null. */
export function describePlan(plan: Plan): Description {
  const requests = countPlannedRequests(plan);
  const aboutSteps = [describeWhat(plan), ...describeJourney(plan), ...checkSentences(plan)];
  const aboutLoad = loadSentences(plan);
  return {
    sentences: [
      describeWho(plan),
      ...aboutSteps,
      ...aboutLoad,
      ...describeDuet(plan),
      ...connectionSentences(plan),
      ...describeStored(plan),
      ...cacheSentences(plan),
      amountSentence(plan),
      endSentence(plan),
    ],
    aboutSteps,
    aboutLoad,
    durationSeconds: computePlannedSeconds(plan),
    requests,
    arrivalsPerSecond: requestRate(plan),
    criteria: listCriteria(plan).map((criterion) => describeCriterion(criterion, plan.journey)),
    profile: buildLoadProfile(plan),
    warnings: checkPlan(plan).filter(({ level }) => level === 'warning'),
  };
}

function describeWho(plan: Plan): string {
  const hosts = plan.targets.map((target) => new URL(target.url).host);
  const named = Object.entries(plan.namedTargets ?? {}).map(([name, { url }]) => `${name} (${new URL(url).host})`);
  const others = named.length === 0 ? '' : ` Steps that name them are sent to: ${named.join(', ')}.`;
  if (hosts.length === 1) return `The load is sent to ${hosts[0]}.${others}`;
  return `The load is divided among ${hosts.length} targets: ${hosts.join(', ')}.${others}`;
}

function describeDuet({ duet }: Plan): string[] {
  if (duet === undefined) return [];
  const [base, head] = duet.variants;
  return [`“${base}” and “${head}” take turns every ${formatMs(duet.slotMs)}. The chance of a coin decides which is first.`];
}

function describeWhat(plan: Plan): string {
  const steps = plan.journey.map(({ name, method, path, target }) => {
    const at = target === undefined ? '' : ` at ${target}`;
    return `“${name}” (${method} ${path === '' ? 'the address itself' : path}${at})`;
  });
  if (plan.flow !== undefined) {
    const length = lengthSentence(plan);
    return `There are ${steps.length} steps: ${steps.join(', ')}. Each journey takes ${formatFlow(plan, plan.flow)}.${length === null ? '' : ` ${length}`}`;
  }
  if (steps.length === 1) return `Every request is ${steps[0]}.`;
  return `Each journey takes ${steps.length} steps, one after the other: ${steps.join(', ')}.`;
}

/** Describes the counts that are read from the target. */
function describeStored({ stored = [] }: Plan): string[] {
  return stored.map((count) => {
    const how =
      'url' in count ? `at ${count.url}` : 'sql' in count ? 'in its database' : `by a command on this computer (${count.command.run})`;
    const each = count.marker === undefined ? '' : ' Items are compared one by one.';
    if (count.counts === 'unfinished')
      return `“${count.name}” is counted ${how} before the load, and after it until what “${count.step}” gave the server to do is finished.`;
    return `“${count.name}” is counted ${how} before the load and after it, and compared with the successful responses to “${count.step}”.${each}`;
  });
}

function cacheSentences(plan: Plan): string[] {
  return reportsCache(plan) ? ['Responses from a cache are counted by their headers.'] : [];
}

function checkSentences({ journey }: Plan): string[] {
  return journey.flatMap(({ name, checks }) =>
    checks.length === 0 ? [] : [`A response to “${name}” is successful only if its body ${checks.map(describeCheck).join(', and ')}.`],
  );
}

/** Returns requests per second at the highest arrival rate, as a mean if journeys differ; null if responses decide. */
function requestRate(plan: Plan): number | null {
  const { load } = plan;
  if (load.model !== 'arrivals') return null;
  const rates = load.stages.map((stage, index) => {
    const { mean } = requestsPerJourney(plan, index);
    return mean === null ? null : levelOf(stage).highest * mean;
  });
  return rates.reduce<number | null>((most, rate) => (most === null || rate === null ? null : Math.max(most, rate)), 0);
}

/** Describes only connection settings that differ from the defaults. */
function connectionSentences(plan: Plan): string[] {
  const { connections, tls } = plan;
  const sentences: string[] = [];
  if (connections.protocol === 'h2') sentences.push(http2Sentence(connections.streams ?? 1));
  if (connections.reuse === 'never') sentences.push('Every request opens a new connection.');
  if (connections.reuse === 'journey') sentences.push('Every journey opens a new connection.');
  if (connections.socketPath !== undefined) sentences.push(`Connections use the Unix socket ${connections.socketPath}.`);
  for (const { host, port, address } of (connections.resolve ?? []).map(readPin).filter((pin) => pin !== null))
    sentences.push(`Connections to ${host}:${port} are opened to ${address}.`);
  if (connections.localAddresses !== undefined) sentences.push(describeFrom(connections.localAddresses));
  if ((tls.resume ?? 0) > 0)
    sentences.push(`${formatShare(tls.resume ?? 0)} of connections resume a TLS session, as returning visitors do.`);
  if (hasSecureTarget(plan) && !tls.verify) sentences.push('Certificates are not verified.');
  if (hasSecureTarget(plan) && tls.clientCertificate !== undefined) sentences.push('The server gets a client certificate.');
  return sentences;
}

function http2Sentence(streams: number): string {
  return streams === 1 ? 'Connections use HTTP/2.' : `Connections use HTTP/2: ${formatCount(streams)} share one, each as a stream.`;
}

function describeFrom(addresses: readonly string[]): string {
  const [first = '', ...others] = addresses;
  if (others.length === 0) return `Connections are made from ${first}.`;
  return `Connections are made from ${addresses.length} addresses of this computer in turn: ${addresses.join(', ')}.`;
}

/** Returns the planned number of requests and the duration in a sentence, as far as they are known before the run. */
export function amountSentence(plan: Plan): string {
  const requests = countPlannedRequests(plan);
  const seconds = computePlannedSeconds(plan);
  const expected = countExpectedRequests(plan);
  if (requests === null && expected !== null && seconds !== null)
    return `In total, about ${formatCount(expected)} requests in ${formatSeconds(seconds)} if all can begin on time${formatPageResources(plan)}.`;
  if (requests !== null && seconds !== null)
    return `In total, ${formatCount(requests)} requests in ${formatSeconds(seconds)} if all can begin on time${formatPageResources(plan)}.`;
  if (requests !== null)
    return `In total, ${formatCount(requests)} requests${formatPageResources(plan)}. The duration depends on the response times.`;
  if (seconds !== null) return `The test takes ${formatSeconds(seconds)}. The number of requests depends on the response times.`;
  return 'Duration and number of requests depend on the response times.';
}

function endSentence(plan: Plan): string {
  const drain = plan.drainSeconds ?? plan.timeoutSeconds;
  const { stopAtResponseTime: early } = plan.safety;
  const stop = early === undefined ? '' : ` ${stopAtResponseTimeSentence(early)}`;
  return `A request times out after ${formatSeconds(plan.timeoutSeconds)}. At the end, Holdfast waits up to ${formatSeconds(drain)} for outstanding responses.${stop}`;
}
