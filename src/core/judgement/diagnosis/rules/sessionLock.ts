import { formatMs } from '#core/base/units.ts';
import { type Draft, figure, type MeasuredRun, rule } from '../rule.ts';

const MIN_RESPONSES = 20;
/** Maximum ratio of p95 to median of a step that does not wait. */
const MAX_STEADY_RATIO = 1.25;
/** Minimum wait (p95 − median), in ms and as a share of the time of the request beside the journey. */
const MIN_WAIT_MS = 20;
const MIN_WAIT_SHARE = 0.2;
/** Maximum ratio of the longest wait to the time of the request beside the journey: a request waits for one other at most. */
const MAX_WAIT_RATIO = 1.2;
/** Minimum share of the time in which a user has a request beside the journey in flight. If it is smaller, few requests meet one. */
const MIN_MET_SHARE = 0.05;

interface Times {
  readonly name: string;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/**
 * Finds steps that sometimes wait for a request that the same user sends beside the journey, such as an autosave: their longest times
 * exceed the median by at most the time of that request, although both the request and other steps are never slow. Servers that lock
 * sessions cause such waits, but are not slower themselves.
 */
export const sessionLock = rule('sessionLock', (facts) => {
  const { journey } = facts.plan;
  return journey.flatMap(({ name, background }): Draft[] => {
    const beside = background === undefined ? null : findTimes(facts, name);
    if (background === undefined || beside === null || !isSteady(beside)) return [];
    if (beside.p50 / 1_000 / background.everySeconds < MIN_MET_SHARE) return [];
    const others = journey.flatMap((step) =>
      step.background === undefined && step.gate === undefined ? (findTimes(facts, step.name) ?? []) : [],
    );
    if (!others.some(isSteady)) return [];
    return others.filter((times) => waitsFor(times, beside)).map((times) => describeWait(times, beside));
  });
});

function describeWait({ name, p50, p95, max }: Times, beside: Times): Draft {
  return {
    of: name,
    level: 'info',
    sentence: `Some requests of “${name}” took up to ${formatMs(max - p50)} longer: they probably waited for “${beside.name}” of the same user.`,
    evidence: [
      'Servers that lock a session until its request has ended, such as PHP, let requests of one user wait for each other.',
      `None waited longer than “${beside.name}” takes (${formatMs(beside.p50)}), and other steps never waited. So the server itself is not slower.`,
    ],
    figures: [figure('Median and p95', `${formatMs(p50)}, ${formatMs(p95)}`), figure(`Median of “${beside.name}”`, formatMs(beside.p50))],
    remedy: 'Let the server write and close the session early (session_write_close in PHP), or keep sessions in a store without locks.',
    confidence: 'possible',
    insteadOf: ['groups.*', 'slowTail', 'averageHides.*'],
  };
}

function waitsFor({ min, p50, p95, max }: Times, beside: Times): boolean {
  const isUsuallyFree = p50 <= MAX_STEADY_RATIO * min;
  return isUsuallyFree && p95 - p50 >= Math.max(MIN_WAIT_MS, MIN_WAIT_SHARE * beside.p50) && max - p50 <= MAX_WAIT_RATIO * beside.p50;
}

function isSteady({ p50, p95 }: Times): boolean {
  return p95 <= MAX_STEADY_RATIO * p50;
}

/** Returns the times of the successful responses of a step; null if there are too few. */
function findTimes({ steps }: MeasuredRun, step: string): Times | null {
  const found = steps.find(({ name }) => name === step)?.latencyByStatusClass;
  const times = found?.['2xx'] ?? found?.['3xx'];
  if (times === undefined || times.count < MIN_RESPONSES) return null;
  const { min, p50, p95, max } = times;
  if (typeof min !== 'number' || typeof p50 !== 'number' || typeof p95 !== 'number' || typeof max !== 'number') return null;
  return { name: step, min, p50, p95, max };
}
