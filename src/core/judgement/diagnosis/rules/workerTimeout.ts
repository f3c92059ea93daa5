import { formatCount, formatMs, formatPercent, formatSeconds, formatShare } from '#core/base/units.ts';
import { figure, NEGLIGIBLE_SHARE, rangeOf, type Rule, rangeOfTimes } from '../rule.ts';

const LEAST_ANSWERS = 5;
/** gunicorn looks after its workers once a second, and says its limit in whole seconds. */
const LOOKS_EVERY_MS = 1_000;
/** What is on the way, and a machine that is late. */
const LATE_MS = 400;
/** Its clock and ours begin at different moments of a request. */
const EARLY_MS = 30;
/** gunicorn's own limit. */
const USUAL_SECONDS = 30;
/** From so many seconds on people set limits that are multiples of five. */
const ROUND_FROM_SECONDS = 10;
/** Seconds in which others are answered well, of those in which somebody waits to be given up: else the whole server stands still, for another reason. */
const GOES_ON = 0.5;

/**
 * Answers that failed after a number of whole seconds and at most one more while others went well: workers that answer nothing for so long are killed. gunicorn first
 * aborts one, which answers 500 where the application is in Python then, and kills it a second later where it is not, which the proxy makes 502 of.
 */
export const workerTimeout: Rule = {
  id: 'workerTimeout',
  find({ latencyByStatusClass, status, windows }) {
    const [aborted, killed] = [status['500'] ?? 0, status['502'] ?? 0];
    const count = aborted + killed;
    const complete = Object.values(status).reduce((sum, answers) => sum + answers, 0);
    const failures = Object.entries(status).reduce((sum, [code, answers]) => sum + (code.startsWith('5') ? answers : 0), 0);
    const times = latencyByStatusClass['5xx'];
    // Their times are known where all failures are of these two.
    if (times === undefined || count < LEAST_ANSWERS || count < NEGLIGIBLE_SHARE * complete || count < failures) return [];
    const { min, p50, max } = times;
    if (typeof min !== 'number' || typeof p50 !== 'number' || typeof max !== 'number') return [];
    const shortest = Math.floor((min + EARLY_MS) / 1_000);
    const looks = killed > 0 ? 2 : 1;
    if (shortest < 1 || max > 1_000 * shortest + looks * LOOKS_EVERY_MS + LATE_MS) return [];
    const limit = aborted > 0 ? shortest : killedAfter(shortest);
    const after = limit === null ? `${shortest - 1} to ${formatSeconds(shortest)}` : formatSeconds(limit);
    const hit = windows.filter((point) => (point.status['500'] ?? 0) + (point.status['502'] ?? 0) > 0);
    const range = rangeOf(hit);
    const during = windows.filter(({ second }) => range !== null && second >= range.fromSecond - shortest && second < range.toSecond);
    if (during.filter(({ ok }) => ok > 0).length < GOES_ON * during.length) return [];
    const codes = [...(aborted > 0 ? ['500'] : []), ...(killed > 0 ? ['502'] : [])].join(' and ');
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `${formatShare(count / complete)} of responses failed after ${after} (${codes}) while others succeeded: probably workers that do not respond for that long are killed.`,
        evidence: [
          `All of them came between ${formatMs(min)} and ${formatMs(max)}: a limit in whole seconds that is checked once a second, like gunicorn’s.${
            limit === USUAL_SECONDS ? ' Its default is 30 s.' : ''
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
 * The limit behind answers 502 of which the first came in this second: gunicorn kills a worker at the next look after it aborted it, at most a second later, others do it
 * at once. Null where it may be either, which people would set.
 */
function killedAfter(shortest: number): number | null {
  if (shortest === 1) return 1;
  if (shortest < ROUND_FROM_SECONDS) return null;
  return [shortest - 1, shortest].find((seconds) => seconds % 5 === 0) ?? null;
}
