import { secondsOf } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Bursts } from '#core/result/behaviour.ts';

/** What is needed of a stage to judge it as a burst. */
export interface BurstStage {
  readonly sent: number;
  readonly failed: number;
  /** Requests unanswered when the next burst began. */
  readonly leftOver: number;
}

const LEAST_BURSTS = 3;

/** Places of the bursts of a plan: stages of arrivals, each with a pause after it that is at least as long. Empty for a plan of another kind. */
export function burstPlaces({ load }: Pick<Plan, 'load'>): number[] {
  if (load.model !== 'arrivals') return [];
  const places = load.stages.flatMap((stage, index) => (stage.kind === 'pause' ? [] : [index]));
  const isBurst = (place: number): boolean => {
    const [stage, pause] = [load.stages[place], load.stages[place + 1]];
    if (stage === undefined || pause === undefined) return place > 0;
    return pause.kind === 'pause' && (secondsOf(stage) ?? 0) <= pause.seconds;
  };
  return places.length >= LEAST_BURSTS && places.every(isBurst) ? places : [];
}

/** Up to which size bursts were answered without a failure. What comes after the first bad one may suffer from it and says nothing. */
export function burstsOf(stages: readonly BurstStage[]): Bursts | null {
  const sent = stages.filter((stage) => stage.sent > 0);
  if (sent.length === 0) return null;
  const firstBad = sent.findIndex(({ failed }) => failed > 0);
  const good = firstBad < 0 ? sent : sent.slice(0, firstBad);
  return {
    largestGood: good.length === 0 ? null : Math.max(...good.map((stage) => stage.sent)),
    smallestBad: sent[firstBad]?.sent ?? null,
    drained: good.every(({ leftOver }) => leftOver === 0),
  };
}
