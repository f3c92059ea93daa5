import { formatCount, formatMs, formatPercent, formatRate, formatSeconds, formatShare } from '#core/base/units.ts';
import { sumOf } from '#core/base/lists.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { BellResult } from '#core/result/bells.ts';
import { type Draft, figure, type MeasuredRun, rule } from '../rule.ts';

const TENTHS_PER_SECOND = 10;
/** Time in seconds within which people expect a page, used if the plan has no criterion. */
const DEFAULT_WITHIN_SECONDS = 5;
/** Minimum number of users, because fewer show no rate. */
const MIN_USERS = 10;
/** Maximum difference between the service rates of the first and the second half of the opening, as a share of their mean. */
const MAX_RATE_CHANGE = 0.3;

type StepFacts = MeasuredRun['steps'][number];

/**
 * Estimates how many users would have been served in time at a bell. A queue that is never empty is served at a constant rate, whatever its
 * length. As many users as now would therefore be served within the time if there were fewer. Refused users are not in the queue, so with
 * refusals the estimate is only possible.
 */
export const bellCapacity = rule('bellCapacity', ({ plan, bells = [] }) =>
  bells.flatMap((bell): Draft[] => {
    const seconds = findLimitSeconds(plan, bell.step);
    const served = countServed(bell, seconds);
    if (bell.isCalledOff === true || served === null || bell.waited < MIN_USERS || served >= bell.waited || served < MIN_USERS) return [];
    const isSteady = hasSteadyRate(bell, seconds);
    return [
      {
        of: bell.bell,
        level: 'warning',
        sentence: `About ${formatCount(served)} users would have been served within ${formatSeconds(seconds)} of the bell “${bell.bell}”; ${formatCount(bell.waited)} waited.`,
        evidence: [
          `“${bell.step}” served ${formatRate(served / seconds, 'users')} in that time.`,
          'A queue is served at the same rate however long it is.',
          !isSteady && 'The rate changed during the opening, or users were refused, so the number is uncertain.',
        ],
        figures: [
          figure('Waiting users', formatCount(bell.waited)),
          figure(`Served within ${formatSeconds(seconds)}`, formatCount(served)),
          figure('Service rate', formatRate(served / seconds)),
        ],
        remedy: `Ring the bell for ${formatCount(served)} users to confirm it. More workers raise the rate if the database keeps up; a bell in groups spreads the users.`,
        confidence: isSteady ? 'likely' : 'possible',
      },
    ];
  }),
);

/** Returns the strictest time limit of the step's pass criteria, or the default. */
function findLimitSeconds(plan: MeasuredRun['plan'], step: string): number {
  const limits = listCriteria(plan).flatMap((criterion) =>
    criterion.kind === 'responseTime' && criterion.of === undefined && (criterion.step ?? step) === step ? [criterion.maxMs / 1_000] : [],
  );
  return limits.length === 0 ? DEFAULT_WITHIN_SECONDS : Math.min(...limits);
}

/** Returns how many users were served within the first `seconds` of the opening; null if the opening is shorter. */
function countServed({ opening }: BellResult, seconds: number): number | null {
  const tenths = Math.floor(seconds * TENTHS_PER_SECOND);
  return tenths < 1 || tenths > opening.length ? null : sumOf(opening.slice(0, tenths), ({ served }) => served);
}

function hasSteadyRate(bell: BellResult, seconds: number): boolean {
  const [half, whole] = [countServed(bell, seconds / 2), countServed(bell, seconds)];
  if (half === null || whole === null || bell.failed + bell.reloaded > 0) return false;
  return Math.abs(2 * half - whole) <= MAX_RATE_CHANGE * whole;
}

/** Minimum share of the waiting users that must be refused. */
const MIN_REFUSED_SHARE = 0.05;
const MIN_REFUSED = 3;
/** Maximum time in ms of a refusal that takes no work. */
const MAX_REFUSAL_MS = 100;
/** Maximum ratio of the longest to the shortest time of successful responses from a server without a queue. */
const MAX_UNQUEUED_RATIO = 3;
const MIN_UNQUEUED_MS = 50;

/**
 * Finds fast refusals at a bell, and says whether the server had a queue. If it had one, the queue of its workers was full. If not, a limit
 * per client address refused the requests, and the server could have served more.
 */
export const bellRefusals = rule('bellRefusals', ({ bells = [], steps }) =>
  bells.flatMap((bell): Draft[] => {
    const step = steps.find(({ name }) => name === bell.step);
    if (step === undefined || bell.isCalledOff === true) return [];
    const refusal = findRefusal(step, bell);
    if (refusal === null) return [];
    const { code, count, p50 } = refusal;
    const times = step.latencyByStatusClass['2xx'];
    if (times === undefined || typeof times.min !== 'number' || typeof times.p95 !== 'number') return [];
    const isQueued = times.p95 > Math.max(MIN_UNQUEUED_MS, MAX_UNQUEUED_RATIO * times.min);
    const figures = [
      figure(
        `Responses ${code}`,
        `${formatCount(count)} of ${formatCount(step.requests.sent)} (${formatPercent(count / step.requests.sent)})`,
      ),
      figure('Median of these', formatMs(p50)),
      figure('Shortest and p95 of successful responses', `${formatMs(times.min)}, ${formatMs(times.p95)}`),
    ];
    if (isQueued && code !== '429')
      return [
        {
          of: bell.bell,
          level: 'problem',
          sentence: `The queue of workers was full after the bell “${bell.bell}”: ${formatShare(count / step.requests.sent)} of responses to “${bell.step}” were ${code} within ${formatMs(p50)}, while others waited and were served.`,
          evidence: [
            'A refusal without work in the same seconds as slow successes means that no place was left in the queue.',
            'PHP-FPM refuses when its backlog (listen.backlog) is full, and nginx then sends 502. Gunicorn has --backlog.',
          ],
          figures,
          remedy:
            'Give the server more workers, or a longer queue (listen.backlog with net.core.somaxconn, --backlog). People then wait instead of seeing an error.',
          confidence: 'likely',
          insteadOf: [`unexpectedStatus.${code}`, 'fullBacklog'],
        },
      ];
    if (isQueued || code === '502') return [];
    return [
      {
        of: bell.bell,
        level: 'problem',
        sentence: `A limit per address probably refused users at the bell “${bell.bell}”: ${formatShare(count / step.requests.sent)} of responses to “${bell.step}” were ${code} within ${formatMs(p50)}, and those that were let through did not wait.`,
        evidence: ['A server at its limit would let successful responses wait.', ONE_ADDRESS],
        figures,
        remedy:
          'Raise the limit for this network (nginx limit_req, a firewall or a provider). Everybody behind one school or company connection shares an address.',
        confidence: code === '429' ? 'likely' : 'possible',
        insteadOf: [`unexpectedStatus.${code}`],
      },
    ];
  }),
);

const ONE_ADDRESS = 'The load comes from one address. If all your people come from one address, too, the limit will refuse them as well.';

function findRefusal(
  { status, latencyByStatusClass }: StepFacts,
  { waited }: BellResult,
): { code: string; count: number; p50: number } | null {
  const [found] = (['429', '502', '503'] as const)
    .map((code) => ({ code, count: status[code] ?? 0 }))
    .toSorted((one, other) => other.count - one.count);
  const p50 = latencyByStatusClass[found?.code === '429' ? '4xx' : '5xx']?.p50;
  if (found === undefined || typeof p50 !== 'number' || p50 > MAX_REFUSAL_MS) return null;
  return found.count < Math.max(MIN_REFUSED, MIN_REFUSED_SHARE * waited) ? null : { ...found, p50 };
}

/** Minimum ratio of the medians of two bells. */
const MIN_COLD_RATIO = 2;
const MIN_COLD_MS = 200;

/** Finds a bell that was served much more slowly than a later bell of the same request with as many users, because the server was cold. */
export const bellColdStart = rule('bellColdStart', ({ plan, bells = [] }) => {
  const findRequest = (name: string): string => {
    const step = plan.journey.find((one) => one.name === name);
    return `${step?.method ?? ''} ${step?.path ?? ''}`;
  };
  const ordered = bells.toSorted((one, other) => one.atSecond - other.atSecond);
  return ordered.slice(1).flatMap((later, index): Draft[] => {
    const first = ordered[index];
    if (first === undefined || findRequest(first.step) !== findRequest(later.step) || later.served < MIN_USERS) return [];
    const isAlike = Math.min(first.served, later.served) >= 0.9 * Math.max(first.served, later.served);
    if (!isAlike || first.p50Ms === null || later.p50Ms === null) return [];
    if (first.p50Ms < MIN_COLD_RATIO * later.p50Ms || first.p50Ms - later.p50Ms < MIN_COLD_MS) return [];
    return [
      {
        of: first.bell,
        level: 'warning',
        sentence: `The server was cold at the bell “${first.bell}”: half of the users waited ${formatMs(first.p50Ms)}, and ${formatMs(later.p50Ms)} at the bell “${later.bell}”.`,
        evidence: ['Both bells sent the same request for as many users.'],
        figures: [figure(`Median at “${first.bell}”`, formatMs(first.p50Ms)), figure(`Median at “${later.bell}”`, formatMs(later.p50Ms))],
        remedy: 'Open the page a few times before people come. Workers, caches and connections are then ready.',
        confidence: 'likely',
      },
    ];
  });
});
