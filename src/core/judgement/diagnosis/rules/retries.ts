import { formatCount, formatMs, formatNumber, formatPercent, formatShare } from '#core/base/units.ts';
import { figure, NOTICEABLE_SHARE, rangeOf, type Rule } from '../rule.ts';

/** Somebody who waits for an answer that does not come, and asks again after a time that is always the same. */
export interface Retry {
  readonly seconds: number;
  readonly who: string;
  readonly remedy: string;
}

const CONNECTION: Omit<Retry, 'seconds'> = {
  who: 'Linux retries a connection that was not accepted (after 1 s, then 2 s and 4 s more)',
  remedy:
    'Look for a full listen queue (nstat TcpExtListenOverflows, listen backlog, net.core.somaxconn), a full link, or a firewall that drops packets, between these two or behind the server.',
};
const NAME: Omit<Retry, 'seconds'> = {
  who: 'a program retries a DNS server that did not respond (after 5 s)',
  remedy:
    'Check the DNS servers of the machine that waited (/etc/resolv.conf). Let programs that connect often keep connections, or cache names.',
};

/** tcp_syn_retries doubles from 1 s on (RFC 6298); glibc's resolver waits for 5 s (resolv.conf(5), `timeout`). */
const RETRIES: readonly Retry[] = [
  { seconds: 1, ...CONNECTION },
  { seconds: 3, ...CONNECTION },
  { seconds: 5, ...NAME },
  { seconds: 7, ...CONNECTION },
  { seconds: 10, ...NAME },
  { seconds: 15, ...CONNECTION },
];
/** Timers are late by their own ticks, and machines by some milliseconds. */
const WITHIN_SECONDS = 0.12;

/** Who asks again after so long; null where no such time is known. `ms` is how much longer the slow ones took than the others. */
export function retryAfter(ms: number): Retry | null {
  return RETRIES.find(({ seconds }) => Math.abs(ms / 1_000 - seconds) <= WITHIN_SECONDS) ?? null;
}

const LEAST_ANSWERS = 5;
/** Failures of one kind that take equally long, give or take this share. */
const PINNED = 0.2;
/** How far from a whole number of good answers they may be. */
const WHOLE = 0.25;
/** The share of the shortest good answer that is done only once: its connection, what it writes. A try again takes so much less. */
const ONCE = 0.2;
/** Tries that take so much of a good answer longer are no further one. */
const NOISE = 0.1;
/** Good answers whose last try succeeded take as long as failures, give or take this share. */
const AS_LONG = 0.05;
/** Servers try two to four times more before they give up. */
const ATTEMPTS = { from: 3, to: 5 };
const LEAST_MS = 20;

/** How often a server tried whose failures took so many times as long as its shortest good answer; null where nothing says that it tried again. */
function attemptsOf(ratio: number, someGoodTookAsLong: boolean): number | null {
  // Whose last try succeeded took as long as a failure: then tries are known, and the shortest good answer may hold what is done once.
  const attempts = someGoodTookAsLong ? Math.ceil(ratio - NOISE) : Math.round(ratio);
  const isWhole = someGoodTookAsLong ? ratio >= (1 - ONCE) * attempts : Math.abs(ratio - attempts) <= WHOLE;
  return isWhole && attempts >= ATTEMPTS.from && attempts <= ATTEMPTS.to ? attempts : null;
}

/** Answers 500 or 503 that all took a whole number of times as long as a good one: the server tried so often before it gave up. */
export const triedAgain: Rule = {
  id: 'triedAgain',
  find({ steps, windows }) {
    return steps.flatMap((step) => {
      const failed = (step.status['500'] ?? 0) + (step.status['503'] ?? 0);
      const complete = Object.values(step.status).reduce((sum, count) => sum + count, 0);
      const [bad, good] = [step.latencyByStatusClass['5xx'], step.latencyByStatusClass['2xx']];
      if (bad === undefined || good === undefined || failed < LEAST_ANSWERS || failed < NOTICEABLE_SHARE * complete) return [];
      if (bad.count !== failed || good.count < LEAST_ANSWERS) return [];
      const { min, p50, p90 } = bad;
      if (typeof min !== 'number' || typeof p50 !== 'number' || typeof p90 !== 'number' || typeof good.min !== 'number') return [];
      const ratio = p50 / good.min;
      const attempts = attemptsOf(ratio, typeof good.p90 === 'number' && Math.abs(good.p90 / p50 - 1) <= AS_LONG);
      if (attempts === null || good.min < LEAST_MS || min < (1 - PINNED) * p50 || p90 > (1 + PINNED) * p50) return [];
      return [
        {
          id: `${this.id}.${step.name}`,
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
        },
      ];
    });
  },
};
