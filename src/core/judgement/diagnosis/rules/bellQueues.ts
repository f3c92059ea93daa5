import { statusOfName } from '#core/base/errorNames.ts';
import { formatCount, formatMs, formatPercent, formatRate, formatShare, formatSeconds } from '#core/base/units.ts';
import { redirectsName } from '#core/plan/requests.ts';
import { type BellResult, bellSentences } from '#core/result/bells.ts';
import { type Draft, figure, type MeasuredRun, overloadedShare, rule } from '../rule.ts';
import { countNotRefused, countServed, findLimitSeconds, MAX_RATE_CHANGE, MIN_USERS } from './openings.ts';

type StepFacts = MeasuredRun['steps'][number];

/** Minimum share of the waiting users that must be refused. */
const MIN_REFUSED_SHARE = 0.05;
const MIN_REFUSED = 3;
/** Maximum time in ms of a refusal that takes no work. */
const MAX_REFUSAL_MS = 100;
/**
 * Maximum ratio of the p95 to the shortest time of successful responses without a queue. One queued request for each worker doubles the
 * time.
 */
const MAX_UNQUEUED_RATIO = 1.8;
const MIN_UNQUEUED_MS = 50;
/** Ratio of the median of successful responses to that of refusals above which the refusals clearly took no work. */
const CLEAR_RATIO = 2;

/**
 * Finds fast refusals at a bell, and says whether the server had a queue. If it had one, the queue of its workers was full. If not, a limit
 * per client address refused the requests, and the server could have served more.
 */
export const bellRefusals = rule('bellRefusals', (facts) =>
  (facts.bells ?? []).flatMap((bell): Draft[] => {
    const step = facts.steps.find(({ name }) => name === bell.step);
    if (step === undefined || bell.isCalledOff === true) return [];
    const hasLimitOfNginx = isLimitOfNginx(facts, bell.step);
    const refusal = findRefusal(step, bell, { isOverloaded: overloadedShare(facts) > 0, hasLimitOfNginx });
    if (refusal === null) return [];
    const { code, count, p50 } = refusal;
    const times = step.latencyByStatusClass['2xx'] ?? step.latencyByStatusClass['3xx'];
    if (times === undefined || typeof times.min !== 'number' || typeof times.p95 !== 'number') return [];
    const isNginxLimit = code === '503' && hasLimitOfNginx;
    // A busy load generator delays refusals as well: in a queue, successes take longer than the refusals. Only a proxy sends 502.
    const ratio = typeof times.p50 === 'number' ? times.p50 / p50 : 0;
    const isQueued =
      !isNginxLimit && times.p95 > Math.max(MIN_UNQUEUED_MS, MAX_UNQUEUED_RATIO * times.min) && ratio > (code === '502' ? 1 : CLEAR_RATIO);
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
          confidence: ratio > CLEAR_RATIO ? 'likely' : 'possible',
          insteadOf: [`unexpectedStatus.${code}`, 'fullBacklog'],
        },
      ];
    if (isQueued || code === '502') return [];
    return [
      {
        of: bell.bell,
        level: 'problem',
        sentence: `A limit per address probably refused users at the bell “${bell.bell}”: ${formatShare(count / step.requests.sent)} of responses to “${bell.step}” were ${code} within ${formatMs(p50)}${isNginxLimit ? '' : ', and those that were let through did not wait'}.`,
        evidence: [
          isNginxLimit
            ? 'nginx itself sent these 503. It does so for limit_req and limit_conn; for a full queue behind it, it would send 502.'
            : 'A server at its limit would let successful responses wait.',
          ONE_ADDRESS,
        ],
        figures,
        remedy:
          'Raise the limit for this network (nginx limit_req, a firewall or a provider). Everybody behind one school or company connection shares an address.',
        confidence: code === '429' || isNginxLimit ? 'likely' : 'possible',
        insteadOf: [`unexpectedStatus.${code}`],
      },
    ];
  }),
);

/** Returns whether the 503 of a step are nginx’s own page. */
function isLimitOfNginx({ server, serverMessages = [] }: MeasuredRun, step: string): boolean {
  const words = serverMessages.find(({ request, failure }) => request === step && statusOfName(failure) === 503)?.words ?? '';
  return /^nginx\b/i.test(server.software ?? '') && /^503 Service Temporarily Unavailable\b/.test(words);
}

const ONE_ADDRESS = 'The load comes from one address. If all your people come from one address, too, the limit will refuse them as well.';

/**
 * Finds the most frequent status of refusals; null if it is rare or slow. An overloaded load generator reads quick responses late, so the
 * quickest response counts there.
 */
function findRefusal(
  { status, latencyByStatusClass }: StepFacts,
  { waited }: BellResult,
  { isOverloaded, hasLimitOfNginx }: { readonly isOverloaded: boolean; readonly hasLimitOfNginx: boolean },
): { code: string; count: number; p50: number } | null {
  const [found] = (['429', '502', '503'] as const)
    .map((code) => ({ code, count: status[code] ?? 0 }))
    .toSorted((one, other) => other.count - one.count);
  const times = latencyByStatusClass[found?.code === '429' ? '4xx' : '5xx'];
  const [quickest, p50] = [isOverloaded ? times?.min : times?.p50, times?.p50];
  if (found === undefined || typeof p50 !== 'number' || typeof quickest !== 'number') return null;
  if (quickest > MAX_REFUSAL_MS && !(hasLimitOfNginx && found.code === '503')) return null;
  return found.count < Math.max(MIN_REFUSED, MIN_REFUSED_SHARE * waited) ? null : { ...found, p50 };
}

/** Minimum ratio of the p95 of the waiting users to the time of a response without a queue. */
const MIN_QUEUE_RATIO = 4;
/** Below this number of concurrent requests, service times differ too much for an estimate. */
const MIN_AT_A_TIME = 0.7;
/** Up to this number of concurrent requests, the server counts as one that handles one request at a time. */
const MAX_ONE_AT_A_TIME = 1.5;
/** Maximum share of the waiting users who were lost or had to reload. */
const MAX_REFUSED_SHARE = 0.05;

/**
 * Finds a queue at a bell, and how many requests the server works on at a time: served users a second × time of a response without a queue
 * (Little's law). One at a time is a lock, several are a pool. If redirects are quick, the limit is not the number of workers.
 */
export const bellPool = rule('bellPool', (facts) =>
  (facts.bells ?? []).flatMap((bell): Draft[] => {
    const step = facts.steps.find(({ name }) => name === bell.step);
    const queue = step === undefined || bell.isCalledOff === true ? null : findQueue(facts, step, bell);
    if (queue === null) return [];
    const { aloneMs, perSecond, atATime } = queue;
    const served = `“${bell.step}” was served ${formatRate(perSecond, 'users')}, and takes ${formatMs(aloneMs)} without a queue.`;
    const shared = {
      of: bell.bell,
      level: 'warning' as const,
      figures: [
        figure('Served a second', formatRate(perSecond)),
        figure('Response without a queue', formatMs(aloneMs)),
        figure('At a time', atATime.toFixed(1)),
      ],
    };
    if (atATime >= MAX_ONE_AT_A_TIME) {
      const isBehind = areRedirectsQuick(facts, bell.step, aloneMs);
      return [
        {
          ...shared,
          sentence: `At the bell “${bell.bell}”, users waited for a pool: the server worked on about ${formatCount(Math.round(atATime))} at a time.`,
          evidence: [
            served,
            isBehind && 'Other pages were quick meanwhile. So it is not the workers: probably database connections.',
            !isBehind && 'These are workers, database connections or processor cores.',
          ],
          remedy: `Compare ${formatCount(Math.round(atATime))} with the number of workers, and with the size of the database pool of all of them. Make the smaller one larger if the database has room.`,
          confidence: isBehind ? 'likely' : 'possible',
        },
      ];
    }
    const isOneSession = facts.plan.targets.some(({ cookie }) => cookie !== undefined);
    return [
      {
        ...shared,
        rule: 'bellLock',
        sentence: isOneSession
          ? `The users at the bell “${bell.bell}” share one session, and the server served them one after the other.`
          : `At the bell “${bell.bell}”, the server served users one after the other: they wait for a lock.`,
        evidence: [
          served,
          isOneSession
            ? 'PHP locks the session of a request until it has ended. The cookie of the target is the same for all users; people have sessions of their own.'
            : 'A lock that all need, a table for example, or a single worker.',
        ],
        remedy: isOneSession
          ? 'Give each user an account with a login in the journey, and ring the bell again.'
          : 'Look for locks in the database at that second, and for files or sessions that all requests open. Check the number of workers.',
        confidence: isOneSession ? 'likely' : 'possible',
      },
    ];
  }),
);

/**
 * Returns the rate of a queue that was served evenly but too slowly, and the number of requests at a time; null if there was no such queue.
 */
function findQueue(
  { plan, phases }: MeasuredRun,
  { latencyByStatusClass }: StepFacts,
  bell: BellResult,
): { aloneMs: number; perSecond: number; atATime: number } | null {
  const { waited, served, p50Ms, p95Ms } = bell;
  const shortest = latencyByStatusClass['2xx']?.min ?? latencyByStatusClass['3xx']?.min;
  const inTime = countServed(bell, findLimitSeconds(plan, bell.step));
  if (p50Ms === null || p95Ms === null || typeof shortest !== 'number' || inTime === null || inTime >= waited) return null;
  if (served < MIN_USERS || waited - countNotRefused(bell) > MAX_REFUSED_SHARE * waited) return null;
  // A connection takes a round trip, which is part of every response and no work.
  const roundTrip = typeof phases.connect?.min === 'number' ? phases.connect.min : 0;
  const aloneMs = Math.max(1, shortest - roundTrip);
  const [half, most] = [(1_000 * 0.5 * served) / p50Ms, (1_000 * 0.95 * served) / p95Ms];
  const atATime = (most * aloneMs) / 1_000;
  if (Math.abs(half - most) > MAX_RATE_CHANGE * most || p95Ms < MIN_QUEUE_RATIO * aloneMs || atATime < MIN_AT_A_TIME) return null;
  return { aloneMs, perSecond: most, atATime };
}

/** Returns whether the pages to which the step redirects had no queue. They are requested in the same seconds. */
function areRedirectsQuick({ steps }: MeasuredRun, step: string, aloneMs: number): boolean {
  const redirects = steps.find(({ name }) => name === redirectsName(step))?.latencyByStatusClass['2xx'];
  return redirects !== undefined && redirects.count >= MIN_USERS && typeof redirects.p95 === 'number' && redirects.p95 <= aloneMs;
}

/** Reports each bell: who was served and how soon, and who was lost, late or absent. */
export const bells = rule('bells', ({ bells: results = [] }) =>
  results.map((result) => {
    if (result.isCalledOff === true) return null;
    const { bell, waited, late, absent, served, failed, unfinished, reloaded, servedWithin, lastServedMs } = result;
    const [lost, absentOrLate] = [failed + unfinished, late + absent];
    const [sentence = '', ...evidence] = bellSentences(result);
    return {
      of: bell,
      level: lost > 0 ? 'problem' : absentOrLate > 0 ? 'warning' : 'info',
      sentence,
      evidence,
      figures: [
        figure('Waiting users', formatCount(waited)),
        figure('Served', formatCount(served)),
        ...servedWithin.map(({ seconds, users }) => figure(`Served within ${formatSeconds(seconds)}`, formatCount(users))),
        lastServedMs !== null && figure('Last one served after', formatMs(lastServedMs)),
        figure('Failed', formatCount(failed)),
        figure('Had to reload', formatCount(reloaded)),
        figure('Late', formatCount(late)),
        figure('Absent', formatCount(absent)),
      ],
      remedy: remedyFor(lost, absentOrLate),
    };
  }),
);

function remedyFor(lost: number, absentOrLate: number): string {
  if (lost > 0)
    return 'Read the errors of this step in the report and the error log of the server at that second. Then ring the bell for half of the users, to find the number that is served.';
  return absentOrLate > 0 ? 'Give users more time to log in before the bell, or find out why they need so long.' : '';
}
