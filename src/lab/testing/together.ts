import type { LoggedRequest } from '../readLog.ts';

/**
 * Tolerance for overlaps. Logs have a resolution of one millisecond, so two intervals may overlap by this much without being simultaneous.
 */
const EXACT_MS = 2;

interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns the maximum number of simultaneous spans. */
export function maxSimultaneous(spans: readonly TimeSpan[]): number {
  return Math.max(...spans.map(({ fromMs }) => spans.filter((span) => span.fromMs <= fromMs && fromMs < span.toMs - EXACT_MS).length));
}

/** Returns, for each request, the time during which it was in the server, including its waiting time. */
export function listPresence(lines: readonly LoggedRequest[]): TimeSpan[] {
  return lines.map(({ startedAtMs, endedAtMs }) => ({ fromMs: startedAtMs, toMs: endedAtMs }));
}

/** Returns, for each request, the time during which a worker processed it. */
export function measureWork(lines: readonly LoggedRequest[]): TimeSpan[] {
  return lines.map(({ startedAtMs, workFromMs = NaN, workMs = NaN }) => ({
    fromMs: startedAtMs + workFromMs,
    toMs: startedAtMs + workFromMs + workMs,
  }));
}

/**
 * Estimates the number of workers and their time per request from the log: as the maximum number of simultaneous requests, and the median
 * time.
 */
export function workersIn(lines: readonly LoggedRequest[]): { workers: number; medianMs: number } {
  const times = lines.map(({ workMs = NaN }) => workMs).sort((remaining, right) => remaining - right);
  return { workers: maxSimultaneous(measureWork(lines)), medianMs: times[Math.floor(times.length / 2)] ?? NaN };
}
