import { LEAST_FOR_SLOPE, theilSen } from '#core/statistics/theilSen.ts';
import type { EarlyAnswer } from '#core/measurement/window.ts';
import { formatCount } from '#core/base/units.ts';
import type { Interval, Queue } from '#core/result/behaviour.ts';

/** Times that grow by less than this share of the shortest over the whole queue are no queue. */
const NOTICEABLE_SHARE = 0.2;
/** Answers that are hardly further apart than their requests are spaced by the load, not by the server. */
const BEYOND_OFFERED = 0.05;

/**
 * Response time against place in the queue. With one request worked on at a time, the n-th answer comes n × S after the first began, so answers
 * are S apart whatever the requests did; with m at a time, S / m. The line goes through good answers only: what a proxy gave up says when the
 * proxy gives up.
 */
export function queueOf(names: { readonly stage: string; readonly step: string }, early: readonly EarlyAnswer[], sent: number): Queue {
  const good = early.filter(({ ok }) => ok);
  const known = { ...names, answers: good.length, sent };
  const growth = theilSen(good.map(({ responseUs }) => responseUs / 1_000));
  const interval = theilSen(good.map(({ startUs, responseUs }) => (startUs + responseUs) / 1_000).sort((a, b) => a - b));
  if (growth === null || interval === null) {
    const reason = `${formatCount(good.length)} good ${good.length === 1 ? 'answer' : 'answers'}: a line needs at least ${LEAST_FOR_SLOPE}.`;
    return { ...known, growthMs: null, intervalMs: null, queues: null, reason };
  }
  return { ...known, growthMs: growth, intervalMs: interval, queues: grows(growth, good) && isSpacedByServer(growth, good), reason: null };
}

function grows({ value, low }: Interval, good: readonly EarlyAnswer[]): boolean {
  const shortestMs = good.reduce((least, { responseUs }) => Math.min(least, responseUs / 1_000), Number.POSITIVE_INFINITY);
  return low > 0 && value * (good.length - 1) > NOTICEABLE_SHARE * shortestMs;
}

/** Whether answers are further apart than requests were begun. */
function isSpacedByServer({ low }: Interval, good: readonly EarlyAnswer[]): boolean {
  const starts = good.map(({ startUs }) => startUs / 1_000).sort((a, b) => a - b);
  const offeredMs = ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / Math.max(1, starts.length - 1);
  return low > BEYOND_OFFERED * offeredMs;
}
