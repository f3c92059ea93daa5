import {
  burstsSentence,
  capacitySentence,
  firstResponsesSentence,
  queueSentences,
  recoverySentence,
} from '#core/judgement/behaviour/sentences.ts';
import type { FirstResponses } from '#core/result/behaviour.ts';
import type { Point } from '#core/result/schema.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatPercentile, formatSeconds } from '#core/base/units.ts';
import { figure, type Figure, type MeasuredRun, pointsBetween, rangeOf, rule, secondsOf, overloadedShare } from '../rule.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { commonName } from '#core/work/accounts/accounts.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { sumOf } from '#core/base/lists.ts';
import { keyParts } from '#core/machines/monitors/result.ts';

/** Minimum number of first responses, each slower than the one before, that show a queue of users who start at once. */
const MIN_QUEUED = 7;
/** Minimum share of the first second's requests at which a later second has the same load. */
const MIN_SAME_LOAD = 0.8;
const MAX_QUICK_RATIO = 1.5;

/**
 * Returns whether later requests at the same rate were quick. If they were not, the first ones were slow because there were many of them.
 */
function isCold({ first, restMedian }: FirstResponses, windows: readonly Point[]): boolean {
  const later = first.slice(1).filter((time, index) => time > (first[index] ?? 0)).length;
  if (later >= MIN_QUEUED) return false;
  const [begin, ...others] = windows.filter(({ started }) => started > 0);
  if (begin === undefined || restMedian === null) return true;
  return others.some(
    ({ started, width, p50 }) =>
      started / width >= (MIN_SAME_LOAD * begin.started) / begin.width && p50 !== null && p50 <= MAX_QUICK_RATIO * restMedian,
  );
}

/** Reports noteworthy behaviour of the server that response times show. */
export const behaviour = rule('behaviour', ({ behaviour: seen, windows }) => {
  if (seen === null) return [];
  const slow = seen.firstResponses.filter((first) => first.isSlowAtFirst === true && isCold(first, windows));
  const waiting = seen.queues.filter(({ queues }) => queues === true);
  const { bursts, capacity } = seen;
  const lasting = seen.recoveries.filter(({ seconds, reason }) => seconds === null && reason === null);
  const info = { level: 'info', confidence: 'likely' } as const;
  const warning = { level: 'warning', confidence: 'likely' } as const;
  return [
    ...slow.map((first) => ({
      ...info,
      of: `first.${first.step}`,
      sentence: firstResponsesSentence(first),
      evidence: [`The first responses, in order: ${first.first.map(formatMs).join(', ')}.`],
      remedy:
        'A server that loads code or fills caches on its first requests is slow after each start. Warm it up before it serves users, and before a test that counts.',
    })),
    ...queueSentences(waiting).map((sentence, index) => ({
      ...info,
      of: `queue.${index + 1}`,
      sentence,
      evidence: ['Response times grow with the place in the queue, beyond chance (Theil–Sen estimator).'],
      remedy: 'More workers, processes or servers shorten the queue in proportion; so do faster requests.',
    })),
    bursts?.smallestBad != null && {
      ...warning,
      of: 'bursts',
      sentence: burstsSentence(bursts),
      evidence: [
        bursts.drained
          ? 'All responses to each earlier burst had arrived when the next burst began.'
          : 'Responses to some earlier bursts were outstanding when the next burst began.',
      ],
      remedy: 'A burst must fit the proxy’s time-out: time-out / time of one request × requests processed at a time.',
    },
    ...lasting.map((recovery, index) => ({
      ...warning,
      of: `recovery.${index + 1}`,
      sentence: recoverySentence(recovery),
      evidence: [
        `Watched for ${formatSeconds(recovery.watchedSeconds)}; before the peak, ${formatPercentile(90)} of responses took at most ${formatMs(recovery.beforeMs)}.`,
      ],
      remedy:
        'The server is still working off requests of the peak, perhaps for users who left long ago. A shorter queue refuses them sooner and recovers sooner.',
    })),
    capacity?.isLimited === true && {
      ...info,
      of: 'capacity',
      sentence: capacitySentence(capacity),
      evidence: ['Workers = responses a second × time of one. Dividing instead is a common mistake.'],
      remedy: 'Above that rate, its queue grows for as long as the load lasts.',
    },
  ];
});

/** Minimum slowdown, as a ratio and in ms, of a cold server. */
const MIN_SLOWDOWN_RATIO = 1.5;
const MIN_SLOWDOWN_MS = 10;
/** Minimum duration of a slow start in seconds, because every program loads something in its first seconds. */
const MIN_COLD_SECONDS = 3;
const MIN_WARM_SECONDS = 5;
/** Minimum growth of the share of cached responses that shows a cold cache. */
const MIN_CACHE_GROWTH = 0.2;
/** Maximum ratio of the requests started per second to the later ones under the same load. */
const MAX_SAME_LOAD_RATIO = 1.25;
/** Share of cold responses from which the 95th percentile is affected. */
const MIN_COLD_SHARE = 0.05;

/**
 * Finds responses that were slow at first under a constant load and quick later, for example because caches filled or code was compiled.
 */
export const warmingUp = rule('warmingUp', (facts) =>
  facts.stages.flatMap((stage, index) => {
    const { level, counted } = stage;
    if (!counted || !isSteady(level)) return [];
    // Users who wait for a bell send other steps at first than later, and queue at a warm server, too. bellColdStart compares bells.
    if (facts.plan.bells !== undefined) return [];
    // A stage after a higher load is excluded: requests that still wait from that load come first, and the server is already warm.
    if (facts.stages.slice(0, index).some((earlier) => earlier.level.highest > level.to)) return [];
    const points = pointsBetween(facts, stage.startedAtSecond, stage.endedAtSecond).filter(({ p50, width }) => p50 !== null && width <= 10);
    const warmMs = medianOfMedians(points.slice(Math.floor(points.length / 2)));
    const isCold = ({ p50 }: Point): boolean => (p50 ?? 0) > MIN_SLOWDOWN_RATIO * warmMs && (p50 ?? 0) - warmMs > MIN_SLOWDOWN_MS;
    const until = points.findIndex((point) => !isCold(point));
    const cold = until < 0 ? [] : points.slice(0, until);
    const warm = until < 0 ? [] : points.slice(until);
    // Slowness that returns later is not caused by a cold start.
    if (warm.filter(isCold).length > warm.length / 10) return [];
    // Users who start at once queue at a warm server, too. The server was cold only if just as many requests are quick later.
    if (countMaxStarted(cold) > MAX_SAME_LOAD_RATIO * countMaxStarted(warm)) return [];
    const seconds = secondsOf(cold);
    const responses = sumOf(cold, ({ completed }) => completed);
    const share =
      responses /
      Math.max(
        1,
        sumOf(points, ({ completed }) => completed),
      );
    if (seconds < MIN_COLD_SECONDS || secondsOf(warm) < Math.max(MIN_WARM_SECONDS, seconds) || share < MIN_COLD_SHARE) return [];
    const [atFirst, later] = [findCacheShare(cold), findCacheShare(warm)];
    const isCache = atFirst !== null && later !== null && later - atFirst >= MIN_CACHE_GROWTH;
    return {
      of: stage.name,
      level: 'warning',
      sentence: `In the first ${formatSeconds(seconds)} of “${stage.name}” the median response took ${formatMs(medianOfMedians(cold))}, later ${formatMs(warmMs)}: the server was still warming up, and its figures mix both.`,
      evidence: [
        'The load was constant. Filling caches, opening connections and compiling code look like this.',
        isCache && 'Here a cache filled: more and more responses came from it.',
      ],
      figures: [
        figure('Median at first', formatMs(medianOfMedians(cold))),
        figure('Median later', formatMs(warmMs)),
        figure('Responses of the slow start', `${formatCount(responses)} (${formatPercent(share)})`),
        ...(isCache ? [figure('From a cache at first', formatPercent(atFirst)), figure('From a cache later', formatPercent(later))] : []),
      ],
      remedy: `Put a stage of at least ${formatSeconds(Math.ceil(seconds / 5) * 5)} before it that does not count. If users also meet a cold server, as after each deployment, test that separately.`,
      confidence: 'likely',
      range: rangeOf(cold),
      insteadOf: ['notSteady', 'behaviour.first.*', `groups.${stage.name}.*`, 'averageHides.*'],
    };
  }),
);

function medianOfMedians(points: readonly Point[]): number {
  return medianOf(points.flatMap(({ p50 }) => p50 ?? []).toSorted((one, other) => one - other));
}

/** Returns the highest number of requests that started in one second. */
function countMaxStarted(points: readonly Point[]): number {
  return Math.max(0, ...points.map(({ started, width }) => started / width));
}

/** Returns the share of responses from a cache; null if no response reports whether it came from one. */
function findCacheShare(points: readonly Point[]): number | null {
  const sum = (key: 'fromCache' | 'fromServer'): number => sumOf(points, ({ cache }) => cache?.[key] ?? 0);
  const originCount = sum('fromCache') + sum('fromServer');
  return originCount === 0 ? null : sum('fromCache') / originCount;
}

const MIN_LOGINS = 10;
/** Minimum ratio of a login's time to that of a login alone at which the login waited. */
const MIN_WAIT_FACTOR = 3;
const MIN_WAIT_MS = 50;
/** Minimum time of a password hash in ms, which is slow on purpose. A login that only looks something up is quicker. */
const MIN_ALONE_MS = 8;
/** Minimum share of the slow seconds that the logins' own work fills. The shortest time of a login is a lower bound of its work. */
const MIN_FILLED = 0.5;
/** Minimum share of the slow seconds that suffices if logins are most of the work of all steps. */
const MIN_FILLED_AS_MAIN_WORK = 0.3;
const MIN_SHARE_OF_WORK = 0.6;
const MIN_SECONDS = 2;
/** Number of busy cores from which a single-threaded program is at its limit. */
const MIN_FULL_CORES = 0.85;
const MAX_OVERLOADED_SHARE = 0.5;

/**
 * Finds logins whose password hashing fills the server's processor. Evidence: logins wait, and their number × the time of an unloaded login
 * fills the slow seconds. All pages of the same process are slow during that time.
 */
export const hashing = rule('hashing', (facts) =>
  facts.plan.journey.flatMap((step) => {
    const login = facts.steps.find(({ name }) => name === step.name);
    if (!isLogin(step) || login === undefined) return [];
    const { min, p50, count } = login.latency.service;
    if (typeof min !== 'number' || typeof p50 !== 'number' || count < MIN_LOGINS) return [];
    if (min < MIN_ALONE_MS || p50 < Math.max(MIN_WAIT_FACTOR * min, min + MIN_WAIT_MS)) return [];
    const slow = facts.windows.filter((point) => (point.max ?? 0) >= MIN_WAIT_FACTOR * min && point.completed > 0);
    const seconds = secondsOf(slow);
    const work = (count * min) / 1_000;
    const isMainWork = work >= MIN_SHARE_OF_WORK * workSeconds(facts.steps);
    if (seconds < MIN_SECONDS || work < (isMainWork ? MIN_FILLED_AS_MAIN_WORK : MIN_FILLED) * seconds) return [];
    const process = findFullProcess(facts);
    return {
      level: 'warning',
      sentence: `${formatCount(count)} logins took the server ${formatNumber(work)} s of work in the ${formatSeconds(seconds)} in which responses were slow: half of the logins waited ${formatMs(p50)} for ${formatMs(min)} of work. Hashing passwords is probably the limit${facts.plan.journey.length > 1 ? ', and other pages wait with them' : ''}.`,
      evidence: [
        `${formatCount(count)} × ${formatMs(min)} = ${formatPercent(Math.min(1, work / seconds), 2)} of those seconds for one process.`,
        'Passwords are hashed slowly on purpose (bcrypt, scrypt, PBKDF2, Argon2). A program with one thread does nothing else meanwhile.',
        process !== null && `${process.name} used ${formatPercent(process.cores, 2)} of one core.`,
      ],
      figures: [
        figure('Logins', formatCount(count)),
        figure('One login alone', formatMs(min)),
        figure('Median of logins', formatMs(p50)),
        ...listOtherSteps(facts, step.name),
      ],
      remedy:
        'Spread logins over a longer time before the start, run more processes, or hash in a thread pool. A cheaper hash is a decision about security.',
      // Even if the generator was busy, the work of logins is the server's, but either of them may cause the waits.
      confidence: process === null || overloadedShare(facts) > MAX_OVERLOADED_SHARE ? 'possible' : 'likely',
      range: rangeOf(slow),
      insteadOf: ['warmingUp.*', 'behaviour.first.*', 'notSteady', 'groups.*', 'averageHides.*', 'slowTail', 'rateDips'],
    };
  }),
);

/** Returns the sum of the number of requests × the shortest response time over all steps, in seconds. */
function workSeconds(steps: MeasuredRun['steps']): number {
  return sumOf(steps, ({ latency: { service } }) => (service.count * (typeof service.min === 'number' ? service.min : 0)) / 1_000);
}

function isLogin({ form = {}, method }: Step): boolean {
  return method === 'POST' && Object.keys(form).some((field) => commonName(field) === 'password');
}

function listOtherSteps({ steps }: MeasuredRun, login: string): readonly Figure[] {
  const times = steps.flatMap(({ name, latency }) =>
    name !== login && typeof latency.service.p50 === 'number' ? [latency.service.p50] : [],
  );
  return times.length === 0 ? [] : [figure('Median of the other steps', formatMs(medianOf(times.toSorted((one, other) => one - other))))];
}

/** Returns the program that used a whole processor core according to a monitor. */
function findFullProcess({ monitors }: MeasuredRun): { readonly name: string; readonly cores: number } | null {
  const all = monitors.flatMap(({ values }) =>
    Object.entries(values).flatMap(([key, column]) => {
      const { id, instance } = keyParts(key);
      if (id !== 'process.cpu' || instance === null) return [];
      return [{ name: instance, cores: Math.max(0, ...column.map((value) => value ?? 0)) }];
    }),
  );
  const full = all.filter(({ cores, name }) => cores >= MIN_FULL_CORES && !/holdfast/i.test(name));
  return full.toSorted((one, other) => other.cores - one.cores)[0] ?? null;
}
