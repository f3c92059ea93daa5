import type { LoggedRequest } from '../readLog.ts';

/** A millisecond is as exactly as a log tells when a request came; two intervals may overlap by so much without meaning it. */
const EXACT_MS = 2;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The largest number of spans at the same time. */
export function mostAtOnce(spans: readonly Span[]): number {
  return Math.max(...spans.map(({ fromMs }) => spans.filter((span) => span.fromMs <= fromMs && fromMs < span.toMs - EXACT_MS).length));
}

/** From when to when each request was there, waiting included. */
export function presenceOf(lines: readonly LoggedRequest[]): Span[] {
  return lines.map(({ startedAtMs, endedAtMs }) => ({ fromMs: startedAtMs, toMs: endedAtMs }));
}

/** From when to when a worker had each. */
export function workOf(lines: readonly LoggedRequest[]): Span[] {
  return lines.map(({ startedAtMs, workFromMs = NaN, workMs = NaN }) => ({
    fromMs: startedAtMs + workFromMs,
    toMs: startedAtMs + workFromMs + workMs,
  }));
}

/** How many workers there are and how long each takes, as the log tells: the most at once, and the median of their times. */
export function workersIn(lines: readonly LoggedRequest[]): { workers: number; medianMs: number } {
  const times = lines.map(({ workMs = NaN }) => workMs).sort((left, right) => left - right);
  return { workers: mostAtOnce(workOf(lines)), medianMs: times[Math.floor(times.length / 2)] ?? NaN };
}
