import { formatCount, formatMs } from '#core/base/units.ts';
import type { UsersReading } from './reading.ts';
import type { CharacterAnswer, Interval, Reason } from './schema.ts';
import { noTimeoutWords, type Standstill, waitedMs } from './standstill.ts';

/** Explains the queue's length and the time-out: what the server does under overload. */
export function edgeReasons(
  { queueLength, queueAtLeast, timeoutMs, longestMs }: CharacterAnswer,
  readings: readonly UsersReading[],
  standstill: Standstill | null,
): Reason[] {
  const reasons: Reason[] = [];
  if (queueLength !== null)
    reasons.push({
      about: 'queue',
      text: `Requests inside = successful responses a second × time of each; minus those in progress, ${formatCount(queueLength.value)} wait${between(queueLength)}. Further requests are rejected at once.`,
    });
  else if (queueAtLeast !== null)
    reasons.push({
      about: 'queue',
      text: `${formatCount(queueAtLeast)} waited and none was rejected: the queue is at least that long.`,
    });
  reasons.push({
    about: 'time-out',
    text:
      timeoutMs === null
        ? noLimitWords(readings, standstill, longestMs)
        : `All failures take the same time: the time-out is ${formatMs(timeoutMs)}.`,
  });
  return reasons;
}

/** Example: “ (between 3 and 5)”; empty for a single value. */
export function between(interval: Interval | null): string {
  return interval === null || interval.low === interval.high
    ? ''
    : ` (between ${formatCount(interval.low)} and ${formatCount(interval.high)})`;
}

function noLimitWords(readings: readonly UsersReading[], standstill: Standstill | null, longestMs: number | null): string {
  const givenUp = givenUpWords(readings);
  const waited = standstill === null ? null : waitedMs(standstill);
  if (givenUp === '' && standstill !== null && waited !== null) return noTimeoutWords(standstill, waited);
  const early = standstill === null ? '' : failedEarlyWords(standstill.reading);
  const words = [givenUp, early].filter((part) => part !== '').join(' ') || 'No request timed out.';
  return `${words} The longest successful response took ${formatMs(longestMs)}, so a time-out, if any, is longer.`;
}

/** Describes failures after a wait if no limit follows from them; empty without failures. */
function givenUpWords(readings: readonly UsersReading[]): string {
  const sum = (count: (one: UsersReading) => number): number => readings.reduce((total, one) => total + count(one), 0);
  const gatewayTimeouts = sum((one) => one.gatewayTimeouts);
  const failures = [
    { count: gatewayTimeouts, words: 'were timed out by a proxy (504)' },
    { count: sum((one) => one.errorAnswers) - gatewayTimeouts, words: 'got another server error' },
    { count: sum((one) => one.timeouts), words: 'timed out by the plan' },
  ].filter(({ count }) => count > 0);
  if (failures.length === 0) return '';
  const all = formatCount(sum((one) => one.sent));
  return `Of ${all} requests ${failures.map(({ count, words }) => `${formatCount(count)} ${words}`).join(', ')}; their times differ, so they show no time-out.`;
}

/** The times of requests before the counted time are unknown. */
function failedEarlyWords({ startUp }: UsersReading): string {
  return startUp.failed === 0
    ? ''
    : `Of ${formatCount(startUp.sent)} requests before the counted time, ${formatCount(startUp.failed)} failed, after an unknown time.`;
}
