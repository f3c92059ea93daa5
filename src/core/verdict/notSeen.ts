import { judgedStages } from '../plan/names.ts';
import type { Verdict } from '../report/result.ts';
import { spanOf } from '../report/spans.ts';
import { formatSeconds } from '../units.ts';
import type { JudgeInput } from './input.ts';

/**
 * What comes by chance every `seconds` / 3 on average, or more often, comes at least once in that time with 95 % confidence: of none, e^−3 = 0.05 is the
 * probability (the rule of three, Hanley and Lippman-Hand 1983). What is rarer may not have come.
 */
export function rarestSeenSeconds(seconds: number): number {
  return seconds / 3;
}

/** How long something has to be watched to see what comes that often: the same the other way round. */
export function secondsToSee(everySeconds: number): number {
  return 3 * everySeconds;
}

/** What the shortest stage that is judged could not see; undefined where none was loaded. */
export function notSeenIn({ plan, end, evidence }: JudgeInput): Verdict['notSeen'] {
  const lengths = judgedStages(plan).flatMap((stage) => {
    const span = spanOf(plan, stage, end, evidence.loadedSeconds(stage));
    return span === null || span.to <= span.from ? [] : [span.to - span.from];
  });
  if (lengths.length === 0) return undefined;
  const watchedSeconds = Math.min(...lengths);
  return { watchedSeconds, rarerThanSeconds: rarestSeenSeconds(watchedSeconds) };
}

export function notSeenWords({ rarerThanSeconds }: NonNullable<Verdict['notSeen']>): string {
  return `A disturbance that comes less often than about every ${formatSeconds(rarerThanSeconds)} may have been missed.`;
}
