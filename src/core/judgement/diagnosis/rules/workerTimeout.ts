import { formatCount, formatMs, formatPercent, formatSeconds, formatShare } from '#core/base/units.ts';
import { figure, MAX_NEGLIGIBLE_SHARE, rangeOf, type Rule, rangeOfTimes } from '../rule.ts';

const MIN_RESPONSES = 5;
/** gunicorn checks its workers once a second, and its limit is in whole seconds. */
const CHECK_INTERVAL_MS = 1_000;
/** Delay of the network and the machine. */
const LATE_TOLERANCE_MS = 400;
/** The server's clock starts at another moment of a request. */
const EARLY_TOLERANCE_MS = 30;
/** Default time-out of gunicorn. */
const DEFAULT_LIMIT_SECONDS = 30;
/** From this many seconds on, people set multiples of five. */
const MIN_ROUND_SECONDS = 10;
/** Smallest share of seconds with successes while requests wait. Otherwise the whole server stood still for another reason. */
const MIN_SUCCESS_SHARE = 0.5;

/**
 * Finds requests that failed after a whole number of seconds, at most one more, while others succeeded: hanging workers are killed. gunicorn first aborts a
 * worker, which sends 500 if the application executes Python code. Otherwise it kills the worker a second later, which the proxy reports as 502.
 */
export const workerTimeout: Rule = {
  id: 'workerTimeout',
  find({ latencyByStatusClass, status, windows }) {
    const [aborted, killed] = [status['500'] ?? 0, status['502'] ?? 0];
    const count = aborted + killed;
    const complete = Object.values(status).reduce((sum, answers) => sum + answers, 0);
    const failures = Object.entries(status).reduce((sum, [code, answers]) => sum + (code.startsWith('5') ? answers : 0), 0);
    const times = latencyByStatusClass['5xx'];
    // Their times are known only if all failures are of these two.
    if (times === undefined || count < MIN_RESPONSES || count < MAX_NEGLIGIBLE_SHARE * complete || count < failures) return [];
    const { min, p50, max } = times;
    if (typeof min !== 'number' || typeof p50 !== 'number' || typeof max !== 'number') return [];
    const shortest = Math.floor((min + EARLY_TOLERANCE_MS) / 1_000);
    const looks = killed > 0 ? 2 : 1;
    if (shortest < 1 || max > 1_000 * shortest + looks * CHECK_INTERVAL_MS + LATE_TOLERANCE_MS) return [];
    const limit = aborted > 0 ? shortest : killedAfter(shortest);
    const after = limit === null ? `${shortest - 1} to ${formatSeconds(shortest)}` : formatSeconds(limit);
    const hit = windows.filter((point) => (point.status['500'] ?? 0) + (point.status['502'] ?? 0) > 0);
    const range = rangeOf(hit);
    const during = windows.filter(({ second }) => range !== null && second >= range.fromSecond - shortest && second < range.toSecond);
    if (during.filter(({ ok }) => ok > 0).length < MIN_SUCCESS_SHARE * during.length) return [];
    const codes = [...(aborted > 0 ? ['500'] : []), ...(killed > 0 ? ['502'] : [])].join(' and ');
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `${formatShare(count / complete)} of responses failed after ${after} (${codes}) while others succeeded: probably workers that do not respond for that long are killed.`,
        evidence: [
          `All of them came between ${formatMs(min)} and ${formatMs(max)}: a limit in whole seconds that is checked once a second, like gunicorn’s.${
            limit === DEFAULT_LIMIT_SECONDS ? ' Its default is 30 s.' : ''
          }`,
          'Each of them removes a worker until another has loaded the application; meanwhile other requests wait longer.',
        ],
        figures: [
          figure('Worker time-out', after),
          figure(codes, `${formatCount(count)} of ${formatCount(complete)} responses (${formatPercent(count / complete)})`),
          rangeOfTimes(min, p50, max),
        ],
        remedy:
          'Look for “WORKER TIMEOUT” in gunicorn’s log and find out why these pages take so long. Move long work elsewhere, or raise the limit (gunicorn --timeout, uWSGI harakiri, php-fpm request_terminate_timeout); the proxy’s must be longer. Waits for a database connection also end after a fixed time.',
        confidence: aborted > 0 ? 'possible' : 'likely',
        range,
        insteadOf: ['unexpectedStatus.500', 'unexpectedStatus.502', 'slowTail', 'averageHides.*'],
      },
    ];
  },
};

/**
 * Returns the time-out behind 502 responses, whose first came in this second. gunicorn kills a worker at the next check after aborting it, up to a second
 * later; others kill at once. Null if both are plausible.
 */
function killedAfter(shortest: number): number | null {
  if (shortest === 1) return 1;
  if (shortest < MIN_ROUND_SECONDS) return null;
  return [shortest - 1, shortest].find((seconds) => seconds % 5 === 0) ?? null;
}
