import { pointsBetween } from '#core/judgement/diagnosis/rule.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { recoveryLevels } from './levels.ts';
import type { RecoveryReading } from './reading.ts';

/** Number of seconds whose median decides whether the queue is gone. */
const MEDIAN_SECONDS = 3;

/**
 * Returns how soon the server recovered. Once its times are back, the queue gives the moment, because it varies far less by chance than times of single
 * seconds.
 */
export function readRecovery(result: RunResult, limit: number, overloadSeconds: number): RecoveryReading {
  const { calm, overload } = recoveryLevels(limit);
  const levels = { kind: 'recovery' as const, calmLevel: calm, overloadLevel: overload, overloadSeconds };
  const recovery = result.behaviour?.recoveries[0];
  if (recovery === undefined || result.run.endedBecause !== null)
    return {
      ...levels,
      seconds: null,
      resolutionSeconds: 1,
      watchedSeconds: 0,
      beforeMs: null,
      worstMs: null,
      reason: result.run.endedBecause?.text ?? 'There were too few responses to compare times with.',
    };
  const { seconds, resolutionSeconds, watchedSeconds, beforeMs, worstMs, reason } = recovery;
  return {
    ...levels,
    seconds: seconds === null ? null : (queueGoneAfter(result, limit) ?? Math.max(0, seconds - resolutionSeconds / 2)),
    resolutionSeconds,
    watchedSeconds,
    beforeMs,
    worstMs,
    reason,
  };
}

/**
 * Returns when the queue was gone, in seconds after the overload: when no more requests were in flight than the server processes at a time, which is limit ×
 * response time in the calm (Little's law). Interpolates linearly between two seconds. null if unknown.
 */
function queueGoneAfter(result: RunResult, limit: number): number | null {
  const [calm, , calmAgain] = result.stages;
  if (calm === undefined || calmAgain === undefined || calmAgain.startedAtSecond === null) return null;
  const { mean } = calm.latencyByStatusClass['2xx'] ?? calm.latency.service;
  // Excludes the first second, in which connections are opened and code is loaded.
  const before = pointsBetween(result, calm.startedAtSecond, calm.endedAtSecond).slice(1);
  const after = pointsBetween(result, calmAgain.startedAtSecond, calmAgain.endedAtSecond);
  if (typeof mean !== 'number' || before.length < MEDIAN_SECONDS) return null;
  const most = Math.max((limit * mean) / 1_000, ...before.map(({ inFlight }) => inFlight));
  const gone = after.findIndex(
    ({ inFlight }, index) => inFlight <= most && medianInFlight(after.slice(index, index + MEDIAN_SECONDS)) <= most,
  );
  const [last, first] = [after[gone - 1], after[gone]];
  if (first === undefined || last === undefined) return null;
  const share = (last.inFlight - most) / (last.inFlight - first.inFlight);
  return last.second + last.width + share * first.width - calmAgain.startedAtSecond;
}

function medianInFlight(points: readonly Point[]): number {
  return medianOf(points.map(({ inFlight }) => inFlight).toSorted((one, other) => one - other));
}
