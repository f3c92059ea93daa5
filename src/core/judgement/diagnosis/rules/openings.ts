import { formatCount, formatMs, formatRate, formatSeconds } from '#core/base/units.ts';
import { sumOf } from '#core/base/lists.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import { listAccountsRefused } from '#core/result/accountsRefused.ts';
import type { BellResult } from '#core/result/bells.ts';
import { type Draft, figure, type MeasuredRun, rule } from '../rule.ts';

const TENTHS_PER_SECOND = 10;
/** Time in seconds within which people expect a page, used if the plan has no criterion. */
const DEFAULT_WITHIN_SECONDS = 5;
/** Minimum number of users, because fewer show no rate. */
export const MIN_USERS = 10;
/** Maximum difference between the service rates of the first and the second half of the opening, as a share of their mean. */
export const MAX_RATE_CHANGE = 0.3;

/**
 * Estimates how many users would have been served in time at a bell. A queue that is never empty is served at a constant rate, whatever its
 * length. As many users as now would therefore be served within the time if there were fewer. Refused users are not in the queue, so with
 * refusals the estimate is at most the number of the others, and its confidence is “possible”. Accounts that the server refused would also
 * be refused among fewer users.
 */
export const bellCapacity = rule('bellCapacity', ({ plan, events, bells = [] }) =>
  bells.flatMap((bell): Draft[] => {
    const seconds = findLimitSeconds(plan, bell.step);
    const inTime = countServed(bell, seconds);
    const refused = sumOf(listAccountsRefused(events), ({ step, count }) => (step === bell.step ? count : 0));
    if (bell.isCalledOff === true || inTime === null || bell.waited < MIN_USERS || inTime >= bell.waited - refused) return [];
    const served = Math.min(inTime, countNotRefused(bell));
    if (served < MIN_USERS) return [];
    const isSteady = hasSteadyRate(bell, seconds);
    return [
      {
        of: bell.bell,
        level: 'warning',
        sentence: `About ${formatCount(served)} users would have been served within ${formatSeconds(seconds)} of the bell “${bell.bell}”; ${formatCount(bell.waited)} waited.`,
        evidence: [
          ...(served < inTime
            ? [`${formatCount(bell.waited - served)} were refused or had to reload. They would find room if they were not there at once.`]
            : [
                `“${bell.step}” served ${formatRate(inTime / seconds, 'users')} in that time.`,
                'A queue is served at the same rate however long it is.',
              ]),
          !isSteady && 'The rate changed during the opening, or users were refused, so the number is uncertain.',
        ],
        figures: [
          figure('Waiting users', formatCount(bell.waited)),
          figure(`Served within ${formatSeconds(seconds)}`, formatCount(inTime)),
          figure('Service rate', formatRate(inTime / seconds)),
        ],
        remedy: `Ring the bell for ${formatCount(served)} users to confirm it. More workers raise the rate if the database keeps up; a bell in groups spreads the users.`,
        confidence: isSteady ? 'likely' : 'possible',
      },
    ];
  }),
);

/** Returns how many users got their response without a refusal. */
export function countNotRefused({ waited, reloaded, failed, unfinished }: BellResult): number {
  return waited - Math.max(reloaded, failed + unfinished);
}

/** Returns the strictest time limit of the step's pass criteria, or the default. */
export function findLimitSeconds(plan: MeasuredRun['plan'], step: string): number {
  const limits = listCriteria(plan).flatMap((criterion) =>
    criterion.kind === 'responseTime' && criterion.of === undefined && (criterion.step ?? step) === step ? [criterion.maxMs / 1_000] : [],
  );
  return limits.length === 0 ? DEFAULT_WITHIN_SECONDS : Math.min(...limits);
}

/** Returns how many users were served within the first `seconds` of the opening; null if the opening is shorter. */
export function countServed({ opening }: BellResult, seconds: number): number | null {
  const tenths = Math.floor(seconds * TENTHS_PER_SECOND);
  return tenths < 1 || tenths > opening.length ? null : sumOf(opening.slice(0, tenths), ({ served }) => served);
}

function hasSteadyRate(bell: BellResult, seconds: number): boolean {
  const [half, whole] = [countServed(bell, seconds / 2), countServed(bell, seconds)];
  if (half === null || whole === null || bell.failed + bell.reloaded > 0) return false;
  return Math.abs(2 * half - whole) <= MAX_RATE_CHANGE * whole;
}

/** Minimum ratio of the medians of two bells. */
const MIN_COLD_RATIO = 2;
const MIN_COLD_MS = 200;
/** Minimum ratio of the median to the p95 of a cold bell. A queue that is served at a constant rate has 0.53. */
const MIN_COLD_SHAPE = 0.7;

/**
 * Finds a bell that was served much more slowly than a later bell of the same request with as many users, because the server was cold. Most
 * users must have been served late and together. In a queue, the first request of a user may just take more work than the second.
 */
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
    if (first.p95Ms === null || first.p50Ms < MIN_COLD_SHAPE * first.p95Ms) return [];
    if (first.p50Ms < MIN_COLD_RATIO * later.p50Ms || first.p50Ms - later.p50Ms < MIN_COLD_MS) return [];
    return [
      {
        of: first.bell,
        level: 'warning',
        sentence: `The server was cold at the bell “${first.bell}”: half of the users waited ${formatMs(first.p50Ms)}, and ${formatMs(later.p50Ms)} at the bell “${later.bell}”.`,
        evidence: ['Both bells sent the same request for as many users.', 'Nobody was served at first, and then most of them at once.'],
        figures: [figure(`Median at “${first.bell}”`, formatMs(first.p50Ms)), figure(`Median at “${later.bell}”`, formatMs(later.p50Ms))],
        remedy: 'Open the page a few times before people come. Workers, caches and connections are then ready.',
        confidence: 'likely',
        insteadOf: [`bellStandstill.${first.bell}`],
      },
    ];
  });
});
