import { secondsOf, uncountedSecondsOf } from '#core/work/load/stages.ts';
import { judgedStages } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Verdict } from '#core/result/schema.ts';
import { formatSeconds } from '#core/base/units.ts';
import type { JudgeInput } from './input.ts';

/**
 * What comes by chance every `seconds` / 3 on average, or more often, comes at least once in that time with 95 % confidence: of none, e^−3 = 0.05 is the
 * probability (the rule of three, Hanley and Lippman-Hand 1983). What is rarer may not have come.
 */
export function rarestSeenSeconds(seconds: number): number {
  return seconds / 3;
}

/** The same of a run that is still to come; null where requests, and not time, end a stage that is judged. */
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

/** What the shortest stage that is judged could not see; undefined where none was loaded. */
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
