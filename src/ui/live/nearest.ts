import type { LiveSnapshot } from '#contract/replies.ts';
import { countFailedRequests, countWanted } from '#core/measurement/requestOutcomes.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Criterion, Plan } from '#core/plan/schema/plan.ts';
import { buildLoadProfile } from '#core/work/load/profile.ts';
import type { Point } from '#core/result/schema.ts';

/** Figures that criteria can judge. */
export type JudgedFigure = 'answers' | 'within' | 'failures';

const TILES: Readonly<Record<Exclude<Criterion['kind'], 'apdex'>, JudgedFigure>> = {
  throughput: 'answers',
  responseTime: 'within',
  errors: 'failures',
};

/**
 * Returns the figure that has used the largest share of its criterion, or has exceeded it the most; null if no criterion for the whole run
 * can be judged yet. `perSecond` is the recent number of successful responses per second; null while none are due.
 */
export function findNearestToFailing(
  plan: Plan | undefined,
  live: Pick<LiveSnapshot, 'latency' | 'outcomes'>,
  perSecond: number | null,
): JudgedFigure | null {
  let nearest: JudgedFigure | null = null;
  let highest = 0;
  for (const criterion of plan === undefined ? [] : listCriteria(plan)) {
    if (criterion.kind === 'apdex' || criterion.step !== undefined || ('of' in criterion && criterion.of !== undefined)) continue;
    const part = shareOfLimit(criterion, live, perSecond);
    if (part === null || (nearest !== null && part <= highest)) continue;
    [nearest, highest] = [TILES[criterion.kind], part];
  }
  return nearest;
}

/** Returns measured value / limit, or limit / measured value for throughput. At 1, the criterion is just met. */
function shareOfLimit(
  criterion: Exclude<Criterion, { kind: 'apdex' }>,
  { latency, outcomes: { requests } }: Pick<LiveSnapshot, 'latency' | 'outcomes'>,
  perSecond: number | null,
): number | null {
  switch (criterion.kind) {
    case 'responseTime': {
      const { p50, p90, p95, p99 } = latency;
      const time = new Map([
        [50, p50],
        [90, p90],
        [95, p95],
        [99, p99],
      ]).get(criterion.percentile);
      return time == null ? null : (time === 'never' ? Infinity : time) / criterion.maxMs;
    }
    case 'errors': {
      const ended = countWanted(requests) - requests.inFlight;
      const failed = countFailedRequests(requests);
      return ended === 0 ? null : failed === 0 ? 0 : failed / ended / criterion.maxShare;
    }
    case 'throughput':
      return perSecond === null ? null : criterion.minPerSecond / perSecond;
    default:
      return criterion satisfies never;
  }
}

/** Returns the number of users in the next stage during the planned pause before that stage; null at other times. */
export function usersAfterRest(plan: Plan | undefined, { elapsedSeconds, run }: LiveSnapshot, last: Point | undefined): number | null {
  if (plan?.load.model !== 'users' || run.state !== 'running' || (last !== undefined && last.started > 0)) return null;
  const stretches = buildLoadProfile(plan);
  const at = stretches.findIndex(({ fromSecond, toSecond }) => elapsedSeconds >= fromSecond && elapsedSeconds < (toSecond ?? Infinity));
  const now = stretches[at];
  return now === undefined || now.level > 0 || now.toLevel > 0 ? null : (stretches[at + 1]?.toLevel ?? null);
}
