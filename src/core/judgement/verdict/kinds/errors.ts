import type { Objective } from '#core/plan/schema/plan.ts';
import { sickMakers } from '#core/result/loadMakers.ts';
import type { JudgeInput, Judgement, Scope } from '../input.ts';
import { blocksOver, countedIn, otherLimits } from './counts.ts';
import { judgeShareObjective } from './shareObjective.ts';

/** "errors < 1 %": at most that share of the requests ends in anything but a good answer. */
export function judgeErrors(objective: Extract<Objective, { kind: 'errors' }>, input: JudgeInput, { stage, step }: Scope): Judgement {
  const cell = input.evidence.of(stage, step ?? 0);
  const blocks = blocksOver(cell, null, input);
  const counted = countedIn(blocks);
  const failed = blocks.reduce((sum, block) => sum + block.surely + block.maybe, 0);
  return judgeShareObjective({
    blocks,
    others: otherLimits(cell, null),
    things: objective.of ?? 'requests',
    slowMakers: sickMakers(input.generators),
    notBegun: cell.notStartedTarget,
    allowance: objective.maxShare,
    overWords: 'failed',
    measured: counted === 0 ? null : failed / counted,
    limit: objective.maxShare,
    unit: 'share',
  });
}
