import type { Objective } from '#core/plan/schema/plan.ts';
import { sickMakers } from '#core/result/loadMakers.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { milliseconds } from '#core/statistics/latency.ts';
import { formatMs, type TimeMs } from '#core/base/units.ts';
import type { CellEvidence } from '../evidence.ts';
import type { JudgeInput, Judgement, Scope } from '../input.ts';
import { blocksOver, countedIn, otherLimits } from './counts.ts';
import { judgeShareObjective } from './shareObjective.ts';

/** "p95 ≤ 800 ms": at most 5 % of the requests are slower, fail or are never answered. */
export function judgeResponseTime(
  objective: Extract<Objective, { kind: 'responseTime' }>,
  input: JudgeInput,
  { stage, step }: Scope,
): Judgement {
  const cell = input.evidence.of(stage, step ?? 0);
  const blocks = blocksOver(cell, objective.limitMs, input);
  const counted = countedIn(blocks);
  return judgeShareObjective({
    blocks,
    others: otherLimits(cell, objective.limitMs),
    things: objective.of ?? 'requests',
    slowMakers: sickMakers(input.generators),
    notBegun: cell.notStartedTarget,
    allowance: (100 - objective.percentile) / 100,
    overWords: `took longer than ${formatMs(objective.limitMs)} or failed`,
    measured: errorAdjusted(cell, objective.percentile, counted),
    limit: objective.limitMs,
    unit: 'ms',
  });
}

/** The percentile of the response times with every request that failed or was not answered as never. */
function errorAdjusted({ goodTimes }: CellEvidence, percentile: number, counted: number): TimeMs {
  const rank = percentileRank(percentile, counted);
  return rank > goodTimes.totalCount ? 'never' : milliseconds(valueAtRank(goodTimes, rank));
}
