import { secondsOf, uncountedSecondsOf } from '#core/work/load/stages.ts';
import { judgedStages } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Verdict } from '#core/result/schema.ts';
import { formatSeconds } from '#core/base/units.ts';
import type { JudgeInput } from './input.ts';

/**
 * Returns the average interval of events that occur at least once in `seconds` with 95 % confidence: seconds / 3, since P(none) = e^−3 = 0.05 (rule of
 * three, Hanley and Lippman-Hand 1983). Rarer events may have been missed.
 */
export function rarestSeenSeconds(seconds: number): number {
  return seconds / 3;
}

/** Returns the same for a planned run; null if requests end a judged stage. */
export function rarestToBeSeenSeconds(plan: Plan): number | null {
  const lengths = judgedStages(plan).flatMap((index) => {
    const stage = plan.load.stages[index];
    if (stage === undefined) return [];
    const seconds = secondsOf(stage);
    return [seconds === null ? null : seconds - uncountedSecondsOf(stage)];
  });
  const known = lengths.filter((seconds) => seconds !== null);
  return known.length === 0 || known.length < lengths.length ? null : rarestSeenSeconds(Math.min(...known));
}

/** Returns what the shortest judged stage may have missed; undefined if none was loaded. */
export function notSeenIn({ plan, stageTimes }: JudgeInput): Verdict['notSeen'] {
  const lengths = judgedStages(plan).flatMap((stage) => {
    const span = stageTimes[stage] ?? null;
    return span === null || span.to <= span.from ? [] : [span.to - span.from];
  });
  if (lengths.length === 0) return undefined;
  const watchedSeconds = Math.min(...lengths);
  return { watchedSeconds, rarerThanSeconds: rarestSeenSeconds(watchedSeconds) };
}

export function notSeenWords({ rarerThanSeconds }: NonNullable<Verdict['notSeen']>): string {
  return `Disturbances rarer than about one every ${formatSeconds(rarerThanSeconds)} may have been missed.`;
}
