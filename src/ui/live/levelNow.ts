import type { LiveSnapshot } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { plannedRateAtSecond } from '#core/presentation/charts/limits.ts';
import { usersAfterRest } from './nearest.ts';
import { laterWords } from '../words/laterWords.ts';

const texts = laterWords.live.level;

/** Returns the load of the current stage as text; empty between stages. */
export function currentLevelText(plan: Plan, live: LiveSnapshot): string {
  const { stage, elapsedSeconds } = live;
  const found = stage === null ? undefined : plan.load.stages[stage.index];
  if (stage === null || found === undefined) return '';
  if ('connections' in found) return texts.connections(formatCount(found.connections));
  const next = usersAfterRest(plan, live, live.points.at(-1));
  if (next !== null) return texts.resting(next, formatCount(next));
  if ('users' in found) {
    const isStarting = found.counted && !stage.counted;
    return (isStarting ? texts.starting : texts.users)(formatCount(found.users));
  }
  const rate = plannedRateAtSecond(plan, elapsedSeconds);
  return rate === null ? '' : texts.arrivals(`${formatNumber(rate)}/s`);
}
