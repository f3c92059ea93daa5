import { formatCount, formatMs, formatNumber, formatPercent, formatPercentile, formatShare } from '#core/base/units.ts';
import { rateApdex, type LatencySummary } from '#core/statistics/latency.ts';
import {
  listDifferentOnPurpose,
  figure,
  type MeasuredRun,
  MIN_NOTICEABLE_SHARE,
  sortByFrequency,
  pointsBetween,
  rangeOf,
  rule,
} from '../rule.ts';
import type { Groups } from '#core/result/behaviour.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { generatorNames } from '#core/result/generatorNames.ts';
import type { TimeGroup } from '#core/measurement/groups.ts';
import { countResponses } from '#core/measurement/requestOutcomes.ts';
import { sumOf } from '#core/base/lists.ts';
import type { Finding } from '#core/result/schema.ts';

const MIN_RESPONSES = 100;
const MIN_MEAN_MS = 10;

/** Finds a mean above the 90th percentile, because such a mean describes no typical wait. */
export const averageHides = rule('averageHides', ({ steps }) =>
  steps.flatMap((step) => {
    const { mean, p50, p90, p99, count } = step.latency.service;
    if (typeof mean !== 'number' || typeof p50 !== 'number' || typeof p90 !== 'number' || count < MIN_RESPONSES) return [];
    if (mean <= p90 || mean < 2 * p50 || mean - p50 < MIN_MEAN_MS) return [];
    return {
      of: step.name,
      level: 'info',
      sentence: `The average of “${step.name}”, ${formatMs(mean)}, is misleading: half of the responses took ${formatMs(p50)} or less, and ${formatPercentile(90)} took less than the average. A few very long ones raise it.`,
      evidence: ['Two servers with the same median can differ widely in such an average, and even more in an average of percentiles.'],
      figures: [
        figure('Average', formatMs(mean)),
        figure('Median', formatMs(p50)),
        figure('p90', formatMs(p90)),
        figure('p99', formatMs(p99)),
      ],
      remedy: 'Compare medians and percentiles of all responses, not averages or averages of percentiles.',
    };
  }),
);

/** Minimum ratio of the maximum to the 99th percentile, and minimum of the maximum, for a separate tail. */
const MIN_TAIL_RATIO = 10;
const MIN_TAIL_MS = 500;

/**
 * Finds a few responses far from all others. They are caused by a retry, a lock or a time-out rather than by a slow server. Their share is
 * f = (sd / (max − median))², which is exact if all of them lie at the maximum.
 */
export const slowTail = rule('slowTail', ({ latency }) => {
  const { p50, p99, max, stddev, count } = latency.service;
  if (typeof p50 !== 'number' || typeof p99 !== 'number' || typeof max !== 'number' || typeof stddev !== 'number') return [];
  if (count < 1_000 || max < MIN_TAIL_MS || max < MIN_TAIL_RATIO * p99) return [];
  const share = (stddev / (max - p50)) ** 2;
  return {
    level: 'warning',
    sentence: `About ${formatShare(share)} of responses took far longer than all others: up to ${formatMs(max)}, while ${formatPercentile(99)} came within ${formatMs(p99)}.`,
    evidence: [`median ${formatMs(p50)}, standard deviation ${formatMs(stddev)}, slowest ${formatMs(max)}`],
    remedy:
      'Look for something that waits and retries: a packet lost in a full queue (1, 3 or 5 s), a lock, a pool without a free connection, a proxy time-out.',
    confidence: 'likely',
  };
});

/** Minimum number of pages for an Apdex rating. */
const MIN_PAGES = 20;

/** Finds requests with a better Apdex rating than the pages that they belong to. */
export const pageApdex = rule('pageApdex', ({ pages }) => {
  if (pages === null) return [];
  const { pageApdex: ofPages, requestApdex: ofRequests, thresholdMs } = pages.all;
  if (ofPages.value === null || ofRequests.value === null || ofPages.counted < MIN_PAGES) return [];
  const [page, request] = [rateApdex(ofPages.value), rateApdex(ofRequests.value)];
  if (page === request || ofRequests.value <= ofPages.value) return [];
  return {
    level: 'warning',
    sentence: `Whole pages are “${page}” (Apdex ${ofPages.value.toFixed(2)}) although single requests are “${request}” (${ofRequests.value.toFixed(2)}): users wait for the page, not for each of its images.`,
    evidence: [
      `${formatCount(ofPages.counted)} pages and ${formatCount(ofRequests.counted)} requests, both with a threshold of ${formatMs(thresholdMs)}`,
      'many small, fast requests improve the score of the requests, and one slow request is enough to delay a page',
    ],
    remedy: 'Use the figure of the pages. Some tools report that of the requests as if it were of pages.',
  };
});

const MIN_REQUESTS_EACH = 20;
/** Minimum multiple of an even share that counts as uneven. */
const MIN_UNEVEN_RATIO = 1.5;

/** Finds a name with several addresses if one address got most of the requests. */
export const unevenAddresses = rule('unevenAddresses', ({ server, plan }) => {
  const all = sortByFrequency(server.addresses);
  const total = sumOf(all, ([, count]) => count);
  const [busiest] = all;
  // Several targets are excluded, because each is requested at an address of its own.
  if (busiest === undefined || all.length < 2 || plan.targets.length > 1 || total < MIN_REQUESTS_EACH * all.length) return [];
  const [address, count] = busiest;
  if (count < (MIN_UNEVEN_RATIO * total) / all.length) return [];
  return {
    level: 'warning',
    sentence: `${address} got ${formatPercent(count / total)} of requests, although “${server.host}” had ${formatCount(all.length)} addresses during the run: an even share is ${formatPercent(1 / all.length)}.`,
    evidence: [
      'A client that resolves a name keeps one of its addresses, often the first. Many clients spread over all of them; a few computers do not.',
      'If the name got another address during the run, the addresses were used one after the other, and their shares mean nothing.',
    ],
    figures: all.map(([name, requests]) => figure(name, `${formatCount(requests)} requests`)),
    remedy: 'To test all addresses, make each a target of its own, or send the load from more computers.',
  };
});

/** Share from which slow responses are a separate kind rather than exceptions. */
const MIN_KIND_SHARE = 0.05;
/** Minimum distance in ms of an exception that is reported. */
const MIN_DISTANCE_MS = 500;
/** Maximum share of the time in which all slow responses arrived, for them to have a single cause at one time. */
const MAX_MOMENT_SHARE = 0.1;
/** Minimum share of slow responses in seconds in which most are slow, and of quick ones in seconds in which almost none is slow. */
const MIN_SEPARATED_SHARE = 0.8;

/** Finds times in two separate groups, because percentiles and the mean of such times are misleading. */
export const groups = rule('groups', (facts) => {
  const onPurpose = listDifferentOnPurpose(facts.plan);
  return (facts.behaviour?.groups ?? []).flatMap((seen) => {
    if (onPurpose.has(seen.step) || seen.responses.length < 2) return [];
    const [usual, ...others] = seen.responses;
    const slow = others.at(-1);
    if (usual === undefined || slow === undefined || changesWithTime(facts, seen, usual, others)) return [];
    const largestGroup = seen.responses.reduce((largest, group) => (group.count > largest.count ? group : largest));
    const otherShare = sumOf(others, (group) => group.share);
    const isKind = otherShare >= MIN_KIND_SHARE;
    if (!isKind && slow.medianMs < MIN_DISTANCE_MS) return [];
    const retry = isKind ? null : (others.map((group) => retryAfter(group.medianMs - usual.medianMs)).find((one) => one !== null) ?? null);
    const range = isKind ? null : findMoment(facts, seen, others[0]?.fromMs ?? slow.fromMs);
    return {
      of: `${seen.stage}.${seen.step}`,
      level: isKind ? 'info' : 'warning',
      sentence: isKind
        ? `Responses to “${seen.step}” fall into ${formatCount(seen.responses.length)} groups: ${seen.responses.map(formatGroup).join(', ')}, with almost none between. Each percentile describes one group only.`
        : `${formatShare(otherShare)} of responses to “${seen.step}” took far longer than all others: about ${formatMs(slow.medianMs)}; the others took about ${formatMs(usual.medianMs)} and at most ${formatMs(usual.toMs)}.${retry === null ? '' : ` That is when ${retry.who}.`}`,
      evidence: [
        `Between ${formatMs(usual.toMs)} and ${formatMs(others[0]?.fromMs ?? slow.fromMs)} there were almost no responses. A server that is merely slow shows no such gap.`,
        range !== null && 'They all came at the same time, not spread over the run.',
        ...listConnectTimes(facts, seen, retry),
      ],
      figures: seen.responses.map((group) =>
        figure(
          group === largestGroup ? 'Largest group' : group.medianMs < largestGroup.medianMs ? 'Fast group' : 'Slow group',
          `${formatCount(group.count)}, ${formatMs(group.fromMs)} to ${formatMs(group.toMs)}, median ${formatMs(group.medianMs)}`,
        ),
      ),
      remedy: isKind
        ? 'Often the fast responses come from a cache, or are refusals. Do not set a latency criterion inside the gap.'
        : (retry?.remedy ??
          'Look for something that waits and retries: a lock, a pool without a free connection, a proxy time-out, a pause of the program.'),
      confidence: 'likely',
      range,
      insteadOf: [...(isKind ? [] : ['slowTail']), `averageHides.${seen.step}`],
    };
  });
});

function formatGroup({ share, medianMs }: TimeGroup): string {
  return `${formatShare(share)} about ${formatMs(medianMs)}`;
}

/** Returns lines of evidence that show whether opening the connection or a later phase took the time. */
function listConnectTimes({ generators }: MeasuredRun, { connects }: Groups, retry: Retry | null): string[] {
  if (retry === null) return [];
  const late = connects.slice(1).some(({ medianMs }) => retryAfter(medianMs)?.seconds === retry.seconds);
  return [
    late
      ? `Opening the connection took that long, so the delay is between ${generatorNames(generators)} and the server.`
      : 'Opening connections was not that slow where measured, so the delay is behind the server.',
  ];
}

/**
 * Returns whether quick and slow responses occurred at different times, which other rules report. The last seconds of a load contain only
 * slow responses, so nearly all slow ones must lie in such seconds. The seconds are sums over all steps. With several steps, the result is
 * therefore unknown.
 */
function changesWithTime(facts: MeasuredRun, { stage }: Groups, usual: TimeGroup, others: readonly TimeGroup[]): boolean {
  if (listRecordedRequests(facts.plan).length > 1) return false;
  const at = facts.stages.findIndex(({ name }) => name === stage);
  // Responses of a stage's load arrive until the next stage begins.
  const points = pointsBetween(facts, facts.stages[at]?.startedAtSecond ?? null, facts.stages[at + 1]?.startedAtSecond ?? Infinity);
  const slow = sumOf(others, ({ count }) => count);
  // The middle of the gap is used, because figures at the limits of the gap are rounded.
  const betweenMs = (usual.toMs + (others[0]?.fromMs ?? Infinity)) / 2;
  const inSlowSeconds = sumOf(points, ({ p50, ok }) => ((p50 ?? 0) > betweenMs ? ok : 0));
  const inQuickSeconds = sumOf(points, ({ p90, ok }) => ((p90 ?? Infinity) < betweenMs ? ok : 0));
  return inSlowSeconds >= MIN_SEPARATED_SHARE * slow && inQuickSeconds >= MIN_SEPARATED_SHARE * usual.count;
}

/** Returns the short time in which all slow responses arrived; null if they are spread out. */
function findMoment(facts: MeasuredRun, { stage }: Groups, fromMs: number): Finding['range'] {
  const points = windowsOfStage(facts, stage);
  const hit = points.filter(({ max }) => (max ?? 0) >= fromMs);
  const range = rangeOf(hit);
  const all = rangeOf(points);
  if (range === null || all === null) return null;
  return range.toSecond - range.fromSecond <= MAX_MOMENT_SHARE * (all.toSecond - all.fromSecond) ? range : null;
}

function windowsOfStage(facts: MeasuredRun, name: string): MeasuredRun['windows'] {
  const stage = facts.stages.find((one) => one.name === name);
  return pointsBetween(facts, stage?.startedAtSecond ?? null, stage?.endedAtSecond ?? null);
}

const SHOWN_PERCENTILES = [
  ['p50', 50],
  ['p90', 90],
  ['p95', 95],
  ['p99', 99],
] as const satisfies readonly (readonly [keyof LatencySummary, number])[];
/** Maximum ratio of a percentile with failures to the same without them, and minimum difference in ms. */
const MAX_TIME_RATIO = 0.8;
const MIN_DIFFERENCE_MS = 5;
/** Minimum number of successes for stable percentiles. */
const MIN_SUCCESSES = 50;

/** Finds failures that are much quicker than successful responses and thereby lower the percentiles of all responses. */
export const fastFailures = rule('fastFailures', ({ steps }) =>
  steps.flatMap((step) => {
    const complete = countResponses(step.requests);
    const failed = complete - step.requests.ok;
    const good = step.latencyByStatusClass['2xx'];
    // Failures by content and expected statuses have no status class of their own. With them, the times of the successful responses are
    // unknown.
    if (good === undefined || good.count !== step.requests.ok || step.requests.ok < MIN_SUCCESSES) return [];
    if (failed < MIN_NOTICEABLE_SHARE * complete) return [];
    const all = step.latency.service;
    const worst = SHOWN_PERCENTILES.flatMap(([name, percentile]) => {
      const [ofAll, ofGood] = [all[name], good[name]];
      if (typeof ofAll !== 'number' || typeof ofGood !== 'number') return [];
      return ofAll < MAX_TIME_RATIO * ofGood && ofGood - ofAll >= MIN_DIFFERENCE_MS ? [{ percentile, ofAll, ofGood }] : [];
    }).toSorted((one, other) => one.ofAll / one.ofGood - other.ofAll / other.ofGood)[0];
    if (worst === undefined) return [];
    const portion = formatPercentile(worst.percentile);
    const quick = (['4xx', '5xx', '3xx', '1xx'] as const).flatMap((name) => {
      const times = step.latencyByStatusClass[name];
      return times === undefined || times.count === 0 ? [] : [figure(`Median of responses with ${name}`, formatMs(times.p50))];
    });
    return {
      of: step.name,
      level: 'warning',
      sentence: `“${step.name}” looks faster than it is: ${formatShare(failed / complete)} of responses were fast failures. ${portion} of successful responses took up to ${formatMs(worst.ofGood)}; with the failures it looks like ${formatMs(worst.ofAll)}.`,
      evidence: ['A failure takes no work. Use the times of successful responses, and those that count failures as “never”.'],
      figures: [
        figure('Failed', `${formatCount(failed)} of ${formatCount(complete)} responses`),
        figure(`${portion} of successful responses within`, formatMs(worst.ofGood)),
        figure(`${portion} of all responses within`, formatMs(worst.ofAll)),
        ...quick,
      ],
      remedy: 'First find out why they fail. Until then, no time of this run says how fast the page is under this load.',
      insteadOf: [`averageHides.${step.name}`],
    };
  }),
);

/** A component that waits for a response in vain and retries after a fixed time. */
interface Retry {
  readonly seconds: number;
  readonly who: string;
  readonly remedy: string;
}

const CONNECTION_RETRY: Omit<Retry, 'seconds'> = {
  who: 'Linux retries a connection that was not accepted (after 1 s, then 2 s and 4 s more)',
  remedy:
    'Look for a full listen queue (nstat TcpExtListenOverflows, listen backlog, net.core.somaxconn), a full link, or a firewall that drops packets, between these two or behind the server.',
};
const NAME_LOOKUP_RETRY: Omit<Retry, 'seconds'> = {
  who: 'a program retries a DNS server that did not respond (after 5 s)',
  remedy:
    'Check the DNS servers of the machine that waited (/etc/resolv.conf). Let programs that connect often keep connections, or cache names.',
};

/** Retry times: Linux doubles its time from 1 s on (tcp_syn_retries, RFC 6298); glibc's resolver waits 5 s (resolv.conf(5), `timeout`). */
const RETRIES: readonly Retry[] = [
  { seconds: 1, ...CONNECTION_RETRY },
  { seconds: 3, ...CONNECTION_RETRY },
  { seconds: 5, ...NAME_LOOKUP_RETRY },
  { seconds: 7, ...CONNECTION_RETRY },
  { seconds: 10, ...NAME_LOOKUP_RETRY },
  { seconds: 15, ...CONNECTION_RETRY },
];
/** Tolerance in seconds for timer ticks and scheduling. */
const TOLERANCE_SECONDS = 0.12;

/** Returns the component that retries after `ms`, the difference between slow and usual responses; null if unknown. */
export function retryAfter(ms: number): Retry | null {
  return RETRIES.find(({ seconds }) => Math.abs(ms / 1_000 - seconds) <= TOLERANCE_SECONDS) ?? null;
}

const MIN_RETRIED = 5;
/** Tolerance at which failures have equal times. */
const TIME_TOLERANCE = 0.2;
const MULTIPLE_TOLERANCE = 0.25;
/** Maximum share of the shortest successful response that is work done only once, such as connecting. A retry is shorter by that time. */
const MAX_ONCE_SHARE = 0.2;
/** Maximum excess, as a share of a successful response, that does not count as a further attempt. */
const MAX_NOISE_SHARE = 0.1;
/** Tolerance for a success at the last attempt, which takes as long as a failure. */
const SAME_TIME_TOLERANCE = 0.05;
/** Usual number of attempts. Servers usually retry two to four times. */
const ATTEMPT_RANGE = { from: 3, to: 5 };
const MIN_TIME_MS = 20;

/**
 * Returns the number of attempts if failures took `ratio` times as long as the shortest success; null if the ratio is not close to a whole
 * number.
 */
function findAttempts(ratio: number, someGoodTookAsLong: boolean): number | null {
  // If a success took as long as a failure, its last attempt succeeded, so retries are certain. The shortest success may include work that
  // is done only once.
  const attempts = someGoodTookAsLong ? Math.ceil(ratio - MAX_NOISE_SHARE) : Math.round(ratio);
  const isWhole = someGoodTookAsLong ? ratio >= (1 - MAX_ONCE_SHARE) * attempts : Math.abs(ratio - attempts) <= MULTIPLE_TOLERANCE;
  return isWhole && attempts >= ATTEMPT_RANGE.from && attempts <= ATTEMPT_RANGE.to ? attempts : null;
}

/** Finds 500 or 503 responses that took a whole multiple of a successful response: the server retried before it failed. */
export const triedAgain = rule('triedAgain', ({ steps, windows }) =>
  steps.flatMap((step) => {
    const failed = (step.status['500'] ?? 0) + (step.status['503'] ?? 0);
    const complete = sumOf(Object.values(step.status), (count) => count);
    const [bad, good] = [step.latencyByStatusClass['5xx'], step.latencyByStatusClass['2xx']];
    if (bad === undefined || good === undefined || failed < MIN_RETRIED || failed < MIN_NOTICEABLE_SHARE * complete) return [];
    if (bad.count !== failed || good.count < MIN_RETRIED) return [];
    const { min, p50, p90 } = bad;
    if (typeof min !== 'number' || typeof p50 !== 'number' || typeof p90 !== 'number' || typeof good.min !== 'number') return [];
    const ratio = p50 / good.min;
    const attempts = findAttempts(ratio, typeof good.p90 === 'number' && Math.abs(good.p90 / p50 - 1) <= SAME_TIME_TOLERANCE);
    if (attempts === null || good.min < MIN_TIME_MS || min < (1 - TIME_TOLERANCE) * p50 || p90 > (1 + TIME_TOLERANCE) * p50) return [];
    return {
      of: step.name,
      level: 'problem' as const,
      sentence: `${formatShare(failed / complete)} of responses to “${step.name}” failed after ${formatNumber(Math.round(ratio * 10) / 10)} times the fastest success: the server probably tried ${formatCount(attempts)} times before it failed.`,
      evidence: [
        `The median failure took ${formatMs(p50)}, the fastest success ${formatMs(good.min)}. A retry takes less than a whole request, because its connection is open.`,
        'Servers with conflicting transactions do this. Zope retries a request up to 3 times on a ConflictError, each time with all its work.',
      ],
      figures: [
        figure('Attempts', formatCount(attempts)),
        figure('Failed', `${formatCount(failed)} of ${formatCount(complete)} responses (${formatPercent(failed / complete)})`),
        figure('Median of failures', formatMs(p50)),
        figure('Fastest success', formatMs(good.min)),
      ],
      remedy:
        'Look for conflicts (Zope: “ConflictError”), deadlocks or serialization failures in its log at that time. More threads make it worse. Let these requests write less, write separate data, or write later in one batch.',
      confidence: 'possible' as const,
      range: rangeOf(windows.filter(({ status }) => (status['500'] ?? 0) + (status['503'] ?? 0) > 0)),
      insteadOf: ['unexpectedStatus.500', 'unexpectedStatus.503'],
    };
  }),
);
