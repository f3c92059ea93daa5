import { formatCount, formatMs, formatNumber, formatPercent, formatShare } from '#core/base/units.ts';
import { figure, MIN_NOTICEABLE_SHARE, rangeOf, type Rule } from '../rule.ts';

/** A component that waits for a response in vain and retries after a fixed time. */
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

/** Retry times: tcp_syn_retries doubles from 1 s on (RFC 6298); glibc's resolver waits 5 s (resolv.conf(5), `timeout`). */
const RETRIES: readonly Retry[] = [
  { seconds: 1, ...CONNECTION },
  { seconds: 3, ...CONNECTION },
  { seconds: 5, ...NAME },
  { seconds: 7, ...CONNECTION },
  { seconds: 10, ...NAME },
  { seconds: 15, ...CONNECTION },
];
/** Tolerance for timer ticks and scheduling. */
const TOLERANCE_SECONDS = 0.12;

/** Returns the component with this retry time; null if unknown. `ms`: difference between slow and usual responses. */
export function retryAfter(ms: number): Retry | null {
  return RETRIES.find(({ seconds }) => Math.abs(ms / 1_000 - seconds) <= TOLERANCE_SECONDS) ?? null;
}

const MIN_RESPONSES = 5;
/** Tolerance of failures with equal times. */
const TIME_TOLERANCE = 0.2;
/** Tolerance of a whole multiple of a successful response. */
const MULTIPLE_TOLERANCE = 0.25;
/** Largest share of the shortest successful response that happens only once, such as connecting. A retry is shorter by it. */
const MAX_ONCE_SHARE = 0.2;
/** Largest excess, as a share of a successful response, that is no further attempt. */
const MAX_NOISE_SHARE = 0.1;
/** Tolerance for successes after the last attempt, which take as long as failures. */
const SAME_TIME_TOLERANCE = 0.05;
/** Servers usually retry two to four times. */
const ATTEMPTS = { from: 3, to: 5 };
const MIN_TIME_MS = 20;

/** Returns the number of attempts if failures took `ratio` times as long as the shortest success; null if it is no multiple. */
function attemptsOf(ratio: number, someGoodTookAsLong: boolean): number | null {
  // If a success took as long as a failure, its last attempt succeeded, so retries are certain. The shortest success may include work that happens only once.
  const attempts = someGoodTookAsLong ? Math.ceil(ratio - MAX_NOISE_SHARE) : Math.round(ratio);
  const isWhole = someGoodTookAsLong ? ratio >= (1 - MAX_ONCE_SHARE) * attempts : Math.abs(ratio - attempts) <= MULTIPLE_TOLERANCE;
  return isWhole && attempts >= ATTEMPTS.from && attempts <= ATTEMPTS.to ? attempts : null;
}

/** Finds 500 or 503 responses that took a whole multiple of a successful response: the server retried before it failed. */
export const triedAgain: Rule = {
  id: 'triedAgain',
  find({ steps, windows }) {
    return steps.flatMap((step) => {
      const failed = (step.status['500'] ?? 0) + (step.status['503'] ?? 0);
      const complete = Object.values(step.status).reduce((sum, count) => sum + count, 0);
      const [bad, good] = [step.latencyByStatusClass['5xx'], step.latencyByStatusClass['2xx']];
      if (bad === undefined || good === undefined || failed < MIN_RESPONSES || failed < MIN_NOTICEABLE_SHARE * complete) return [];
      if (bad.count !== failed || good.count < MIN_RESPONSES) return [];
      const { min, p50, p90 } = bad;
      if (typeof min !== 'number' || typeof p50 !== 'number' || typeof p90 !== 'number' || typeof good.min !== 'number') return [];
      const ratio = p50 / good.min;
      const attempts = attemptsOf(ratio, typeof good.p90 === 'number' && Math.abs(good.p90 / p50 - 1) <= SAME_TIME_TOLERANCE);
      if (attempts === null || good.min < MIN_TIME_MS || min < (1 - TIME_TOLERANCE) * p50 || p90 > (1 + TIME_TOLERANCE) * p50) return [];
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
