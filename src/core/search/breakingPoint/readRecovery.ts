import { pointsBetween } from '#core/judgement/diagnosis/rule.ts';
import type { Point, RunResult } from '#core/result/schema.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { recoveryLevels } from './levels.ts';
import type { RecoveryReading } from './reading.ts';

/** Most of so many seconds say whether a queue is gone: single ones may say anything. */
const WATCHED_TOGETHER = 3;

/** How soon the server was itself again. Where its times came back, the moment is told by the queue, to which chance does far less than to the times of single seconds. */
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
 * When nobody waited any more, in seconds after the overload: when no more were on their way than the server works on at a time, which by Little's law is its limit times the time of an answer in the calm.
 * A queue goes at a constant pace, so between two seconds it is where the straight line is. null where that cannot be told.
 */
function queueGoneAfter(result: RunResult, limit: number): number | null {
  const [calm, , calmAgain] = result.stages;
  if (calm === undefined || calmAgain === undefined || calmAgain.startedAtSecond === null) return null;
  const { mean } = calm.latencyByStatusClass['2xx'] ?? calm.latency.service;
  // In the first second connections are opened and code is loaded.
  const before = pointsBetween(result, calm.startedAtSecond, calm.endedAtSecond).slice(1);
  const after = pointsBetween(result, calmAgain.startedAtSecond, calmAgain.endedAtSecond);
  if (typeof mean !== 'number' || before.length < WATCHED_TOGETHER) return null;
  const most = Math.max((limit * mean) / 1_000, ...before.map(({ inFlight }) => inFlight));
  const gone = after.findIndex(
    ({ inFlight }, index) => inFlight <= most && medianInFlight(after.slice(index, index + WATCHED_TOGETHER)) <= most,
  );
  const [last, first] = [after[gone - 1], after[gone]];
  if (first === undefined || last === undefined) return null;
  const share = (last.inFlight - most) / (last.inFlight - first.inFlight);
  return last.second + last.width + share * first.width - calmAgain.startedAtSecond;
}

function medianInFlight(points: readonly Point[]): number {
  return medianOf(points.map(({ inFlight }) => inFlight).toSorted((one, other) => one - other));
}
