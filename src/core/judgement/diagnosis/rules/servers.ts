import { getOwn } from '#core/base/ownMembers.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { targetOfServer } from '#core/plan/serverNames.ts';
import { type NoServerResponses, type ServerResult, formatSilentKind, wasAway } from '#core/result/servers.ts';
import type { Silence } from '#core/result/serverSilence.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate } from '#core/base/units.ts';
import { figure, MAX_NEGLIGIBLE_SHARE, MIN_NOTICEABLE_SHARE, rangeOfSpans, rule, overloadedShare } from '../rule.ts';
import { countResponses } from '#core/measurement/requestOutcomes.ts';
import { sumOf } from '#core/base/lists.ts';

/** Minimum number of responses. Fewer may come from one server by chance. */
const MIN_RESPONSES = 20;
/** Minimum multiple of an even share that counts as uneven. */
const MIN_UNEVEN_RATIO = 1.5;
/** Minimum ratio of a server's failures to those of all others together at which the server is faulty. */
const MIN_FAILURE_RATIO = 3;

/** Finds that only one of several servers responded. */
export const oneServer = rule('oneServer', ({ servers, plan }) => {
  const responding = servers.filter(({ responded }) => responded > 0);
  const [only] = responding;
  if (only === undefined || responding.length > 1 || plan.servers === undefined || plan.targets.length > 1) return [];
  const { header, expected } = plan.servers;
  if (header === undefined || expected === 1 || only.responded < MIN_RESPONSES) return [];
  return {
    level: expected === undefined ? 'info' : 'problem',
    sentence:
      expected === undefined
        ? `All ${formatCount(only.responded)} responses came from one server, “${only.name}”.`
        : `All ${formatCount(only.responded)} responses came from “${only.name}”, one of ${formatCount(expected)} servers: ${formatCount(expected - 1)} of ${formatCount(expected)} never responded.`,
    evidence: [`The header ${header} of every response is “${only.name}”.`],
    remedy:
      'A proxy that chooses the server by client address (nginx: hash $remote_addr, ip_hash) sends all load of one computer to one server; real clients are spread. If there are more servers, use a proxy with round robin, make each server a target, or send the load from several addresses.',
  };
});

/** Finds that fewer servers responded than the plan expects. */
export const missingServers = rule('missingServers', ({ servers, plan }) => {
  const expected = plan.servers?.expected ?? 0;
  const responding = servers.filter(({ responded }) => responded > 0);
  const total = sumOf(responding, ({ responded }) => responded);
  const missing = expected - responding.length;
  if (plan.targets.length > 1 || responding.length < 2 || missing <= 0 || total < MIN_RESPONSES * expected) return [];
  const silent = servers.filter(({ responded }) => responded === 0).map(({ name }) => `“${name}”`);
  return {
    level: 'problem',
    sentence: `${formatCount(missing)} of ${formatCount(expected)} servers never responded${silent.length === 0 ? '' : `, including ${silent.join(', ')}`}.`,
    evidence: responding.map(({ name, responded }) => `${name}: ${formatCount(responded)} responses`),
    remedy: 'Check that they run and that the proxy lists them. If there are fewer servers, correct their number in the test.',
  };
});

/** Finds a proxy that considered all of its servers dead and responded itself. */
export const noServerLeft = rule('noServerLeft', ({ noServer }) => {
  if (noServer === null) return [];
  const { name, responses, fromSecond, toSecond } = noServer;
  return {
    level: 'problem',
    sentence: `For ${formatCount(responses)} requests no server was left: the proxy considered all of “${name}” down, first in second ${formatNumber(fromSecond)} and last in second ${formatNumber(Math.max(fromSecond, toSecond - 1))}, and responded itself.`,
    evidence: [
      `The header of these responses holds “${name}” instead of a server’s address: nginx’s name for a group without a working server.`,
    ],
    remedy:
      'First find out why the servers failed: see when each of them was away. nginx skips a server for fail_timeout (10 s) after max_fails (1) failures; max_fails=0 turns that off.',
    range: { fromSecond, toSecond },
  };
});

/** Finds servers that do not share the work evenly. */
export const unevenServers = rule('unevenServers', ({ servers, plan }) => {
  const responding = servers.filter(({ responded }) => responded > 0);
  const busiest = responding.reduce<ServerResult | null>(
    (most, one) => (most === null || one.responded > most.responded ? one : most),
    null,
  );
  const total = sumOf(responding, ({ responded }) => responded);
  if (busiest === null || responding.length < 2 || total < MIN_RESPONSES * responding.length) return [];
  const count = Math.max(responding.length, plan.targets.length > 1 ? 0 : (plan.servers?.expected ?? 0));
  if (busiest.responded < MIN_UNEVEN_RATIO * (total / count)) return [];
  const uneven = listUnevenSteps(responding, count);
  // If each kind of request is shared evenly among the servers that receive it, servers differ in their tasks, not in their share.
  if (uneven !== null && uneven.length === 0) return [];
  return {
    level: 'warning',
    sentence: `“${busiest.name}” sent ${formatPercent(busiest.share)} of the responses of ${count} servers; an even share is ${formatPercent(1 / count)}.`,
    evidence: [
      ...responding.map(({ name, responded }) => `${name}: ${formatCount(responded)} responses`),
      uneven !== null && `It is so for ${joinNames(uneven.map((step) => `“${step}”`))}.`,
    ],
    remedy:
      'Check how the proxy distributes requests: by client address, a few load generators count as a few clients. A faster server also gets more from connections that send the next request after a response.',
    confidence: 'likely',
  };
});

/** Returns the steps that their servers do not share evenly; null if the result has no counts per step. */
function listUnevenSteps(servers: readonly ServerResult[], count: number): string[] | null {
  if (servers.some(({ steps }) => steps === undefined)) return null;
  const names = new Set(servers.flatMap(({ steps = {} }) => Object.keys(steps)));
  return [...names].filter((name) => {
    const counts = servers.map(({ steps = {} }) => getOwn(steps, name)?.responded ?? 0).filter((responded) => responded > 0);
    const total = sumOf(counts, (responded) => responded);
    // A server that never receives a step is not meant to receive it, unless there is only one kind of request.
    const sharing = names.size === 1 ? count : counts.length;
    return total >= MIN_RESPONSES * sharing && Math.max(...counts) >= (MIN_UNEVEN_RATIO * total) / sharing;
  });
}

/** Finds a server that was requested and unavailable, for some time or all the time. */
export const serverDown = rule('serverDown', ({ servers, durationSeconds, noServer }) => {
  if (servers.length < 2) return [];
  return servers.flatMap((server) => {
    const [first] = server.silent;
    const last = server.silent.at(-1);
    if (first === undefined || last === undefined) return [];
    const seconds = sumOf(server.silent, ({ fromSecond, toSecond }) => toSecond - fromSecond);
    const responded = server.responded + countRespondedBehind(server, servers);
    const isDead = responded === 0;
    const isBack = !isDead && durationSeconds !== null && last.toSecond < durationSeconds - 1;
    const isAway = wasAway(server);
    const times = server.silent.length === 1 ? 'once' : `${server.silent.length} times`;
    const back = isAway
      ? ', and came back: it was restarted, or restarts by itself'
      : ', and continued: its outstanding requests got responses then';
    return {
      of: server.name,
      level: 'problem',
      sentence: isDead
        ? formatNeverResponded(server)
        : `“${server.name}” ${formatSilentKind(server)} ${times}, ${formatCount(seconds)} s in total, first in second ${formatNumber(first.fromSecond)}${isBack ? back : `, and was still ${isAway ? 'away' : 'silent'} at the end`}.`,
      evidence: [
        `${formatCount(server.withoutResponse)} requests to it got no response, ${formatCount(responded)} did.`,
        server.tried !== 0 &&
          `${formatCount(server.tried)} times a proxy tried it without success, then used another server or responded itself.`,
        ...server.silent.slice(0, 5).map(formatSilence),
        ...formatUnasked(server, noServer),
      ],
      remedy: isDead
        ? 'Start it, or remove it from the list. The others did its work only if a proxy sent it to them.'
        : `Check its log for that time. CMS servers under one ResourceService all restart when one of them does not respond in time.${formatWaited(server)}`,
      range: rangeOfSpans(server.silent),
      // Meanwhile the other servers did its share. If it was down from the start, the first responses waited for it.
      insteadOf: ['unevenServers', ...(first.fromSecond < 1 ? ['behaviour.first.*'] : [])],
    };
  });
});

/**
 * Minimum duration of requests that hung. A dead server refuses at once, so a server that lets requests hang may be running but waiting.
 */
const MIN_HANG_MS = 10_000;

function formatWaited({ silent }: ServerResult): string {
  if (!silent.some(({ longestMs }) => longestMs !== null && longestMs >= MIN_HANG_MS)) return '';
  return ' If it was not restarted, it hung: stopped, or waiting for a free connection of its database pool, which a PostgreSQL monitor shows.';
}

/** Notes that a server may have been back earlier, because this cannot be seen while it receives no requests. */
function formatUnasked({ silent }: ServerResult, noServer: NoServerResponses | null): string[] {
  if (noServer === null || !silent.some((one) => one.fromSecond < noServer.toSecond && noServer.fromSecond < one.toSecond)) return [];
  return [
    `Until second ${formatNumber(noServer.toSecond)} the proxy used no server. This one may have been back earlier: nginx skips a server for 10 s (fail_timeout) after a failure.`,
  ];
}

/** Finds servers that fail far more often than the others. */
export const failingServer = rule('failingServer', ({ servers }) => {
  if (servers.length < 2) return [];
  return servers.flatMap((server) => {
    if (server.silent.length > 0 || countRespondedBehind(server, servers) > 0) return [];
    const others = servers.filter((other) => other !== server);
    const { share, ofOthers } = compareFailures(server, others);
    if (share < 10 * MAX_NEGLIGIBLE_SHARE || share < MIN_FAILURE_RATIO * ofOthers) return [];
    return {
      of: server.name,
      level: 'problem',
      sentence: `${formatPercent(share)} of requests to “${server.name}” failed, and ${formatPercent(ofOthers)} of those to the other servers.`,
      evidence: servers.map(
        ({ name, failed, responded, withoutResponse }) =>
          `${name}: ${formatCount(failed)} of ${formatCount(responded + withoutResponse)} failed`,
      ),
      remedy: 'Compare this server with the others: its log, its database connections, its load.',
      confidence: 'likely',
    };
  });
});

function formatNeverResponded({ name, withoutResponse, tried }: ServerResult): string {
  if (withoutResponse + tried === 0) return `“${name}” never responded: its requests were outstanding at the end.`;
  if (withoutResponse === 0)
    return `“${name}” never responded: a proxy tried it ${formatCount(tried)} ${tried === 1 ? 'time' : 'times'} without success.`;
  return `“${name}” never responded: ${withoutResponse === 1 ? 'one request' : `${formatCount(withoutResponse)} requests`} to it failed.`;
}

/** Describes since when and for how long a server was silent, and the failed requests. */
function formatSilence({ fromSecond, toSecond, lost, failed, longestMs }: Silence): string {
  const took = longestMs === null ? '' : `, and the longest response took ${formatMs(longestMs)}`;
  return `No response from second ${formatNumber(fromSecond)} to ${formatNumber(toSecond)}: ${formatCount(lost)} requests to it got none, ${formatCount(failed)} failed in total${took}.`;
}

/**
 * Counts responses of servers behind this target that report their names. Then the target itself has only the requests without a response.
 */
function countRespondedBehind({ name }: ServerResult, servers: readonly ServerResult[]): number {
  return servers.reduce((sum, other) => sum + (targetOfServer(other.name) === name ? other.responded : 0), 0);
}

/** Compares only requests that other servers receive, too. */
function compareFailures(server: ServerResult, others: readonly ServerResult[]): { readonly share: number; readonly ofOthers: number } {
  if (server.steps === undefined) return { share: shareFailed([server]), ofOthers: shareFailed(others) };
  const [own, rest] = [
    { all: 0, failed: 0 },
    { all: 0, failed: 0 },
  ];
  for (const [name, { responded, failed }] of Object.entries(server.steps)) {
    const theirs = others.flatMap(({ steps = {} }) => getOwn(steps, name) ?? []);
    if (theirs.length === 0) continue;
    for (const [sum, counts] of [[own, { responded, failed }], ...theirs.map((one) => [rest, one] as const)] as const) {
      sum.all += counts.responded;
      sum.failed += counts.failed;
    }
  }
  return { share: own.failed / Math.max(1, own.all), ofOthers: rest.failed / Math.max(1, rest.all) };
}

function shareFailed(servers: readonly ServerResult[]): number {
  const requestCount = sumOf(servers, ({ responded, withoutResponse }) => responded + withoutResponse);
  return requestCount === 0 ? 0 : sumOf(servers, ({ failed }) => failed) / requestCount;
}

/** m independent servers work on at least m requests at a time. Below this ratio they share a limit. */
const MIN_WORKERS_PER_SERVER = 0.7;
const MIN_FAILURES = 10;
/** Minimum share of the failures that came from no server. */
const MIN_UNATTRIBUTED_SHARE = 0.9;

/** Finds several servers with no more capacity than one: what they share is the limit. */
export const replicasDidNotHelp = rule('replicasDidNotHelp', (facts) => {
  const responding = facts.servers.filter((server) => server.responded > 0);
  const capacity = facts.behaviour?.capacity;
  if (responding.length < 2 || capacity?.isLimited !== true || capacity.workers === null || overloadedShare(facts) > 0.2) return [];
  const { workers, saturatedPerSecond, aloneMs } = capacity;
  if (workers >= MIN_WORKERS_PER_SERVER * responding.length) return [];
  return {
    level: 'warning',
    sentence: `${formatCount(responding.length)} servers together processed ${formatNumber(workers)} requests at a time: the others did not help. What they share is the limit.`,
    evidence: [
      `Responses a second × time of one alone = ${formatRate(saturatedPerSecond)} × ${formatMs(aloneMs)} = ${formatNumber(workers)} at a time (Little’s law). Servers that share nothing process at least one each.`,
    ],
    figures: responding.map(({ name, responded: count, share }) =>
      figure(name, `${formatCount(count)} responses, ${formatPercent(share)}`),
    ),
    remedy:
      'Check what all of them use: the cores of one machine, a database, a lock, a file, the proxy in front. Another server of the same kind changes nothing.',
    confidence: 'likely',
  };
});

/** Finds failures that no server behind the proxy sent. More servers would not reduce them. */
export const failuresBeforeServers = rule('failuresBeforeServers', (facts) => {
  const { servers, plan, outcomes, noServer } = facts;
  const names = servers.filter((server) => server.responded > 0);
  // Several targets are requested directly, so no proxy is before them.
  if (names.length < 2 || plan.servers === undefined || plan.targets.length > 1) return [];
  // Responses with the name of the group are excluded, because `noServerLeft` reports them.
  const failed = outcomes.requests.httpError - (noServer?.responses ?? 0);
  const complete = countResponses(outcomes.requests);
  const ofNone = failed - sumOf(servers, (server) => server.failed - server.withoutResponse);
  if (failed < Math.max(MIN_FAILURES, MIN_NOTICEABLE_SHARE * complete) || ofNone < MIN_UNATTRIBUTED_SHARE * failed) return [];
  return {
    level: 'warning',
    sentence: `${formatCount(ofNone)} failures did not come from the ${formatCount(names.length)} servers but from what is in front of them: more servers will not reduce them.`,
    evidence: [`Every response of a server carries the header ${plan.servers.header ?? ''}; these do not.`],
    figures: [
      figure('Failures without a server’s name', `${formatCount(ofNone)} of ${formatCount(complete)} responses`),
      ...servers.map(({ name, failed, responded: of }) => figure(name, `${formatCount(failed)} of ${formatCount(of)} failed`)),
    ],
    remedy: 'Check the proxy’s error log at that time, its limits of files and connections, and its time-outs.',
    confidence: 'likely',
  };
});
